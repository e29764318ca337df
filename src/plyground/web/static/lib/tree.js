// @ts-check
// A game with its variations: what it is about, a tree of moves, the place where one is, and undo for
// every change.
// As text: moves separated by "_", variations in brackets before the move they replace is followed:
// "f5_d6(f4_c3)_c3" has d6 as the main move and f4 as its alternative. Knows no rule.

/** @typedef {{ move: string, children: Node[], parent: Node | null }} Node */

/** @returns {Node} */
const node = (move, parent) => ({ move, children: [], parent });

export class GameTree {
  /** @param {any} about what the moves are moves of; kept and brought back, never looked at */
  constructor(text = "", path = "", about = null) {
    this.about = about;
    this.root = node("", null);
    this.current = this.root;
    /** @type {string[]} */ this._past = [];
    this._read(text);
    this.goTo(path ? this._atPath(path) : this.end());
  }

  // ------------------------------------------------------------------ asking

  /** The moves to a node. @param {Node} [to] */
  moves(to = this.current) {
    const moves = [];
    for (let each = to; each.parent; each = each.parent) moves.unshift(each.move);
    return moves;
  }

  /** The nodes from the first move to the end of the line that the current node is on. */
  line() {
    const nodes = [];
    for (let each = this.current; each.parent; each = each.parent) nodes.unshift(each);
    for (let each = this.current.children[0]; each; each = each.children[0]) nodes.push(each);
    return nodes;
  }

  get ply() {
    return this.moves().length;
  }

  /** The last node of the line that a node is on. @param {Node} [from] */
  end(from = this.root) {
    let last = from;
    while (last.children.length) last = last.children[0];
    return last;
  }

  /** Which child to take at each step. */
  path(to = this.current) {
    const steps = [];
    for (let each = to; each.parent; each = each.parent) steps.unshift(each.parent.children.indexOf(each));
    return steps.join(".");
  }

  toString() {
    return written(this.root);
  }

  // ------------------------------------------------------------------ going

  /** @param {Node | null | undefined} to */
  goTo(to) {
    if (to) this.current = to;
    return this.current;
  }

  back() {
    return this.goTo(this.current.parent);
  }

  forward(choice = 0) {
    return this.goTo(this.current.children[choice]);
  }

  /** The nearest node ahead that has several children. */
  nextFork() {
    let each = this.current.children[0];
    while (each && each.children.length < 2) each = each.children[0];
    return this.goTo(each ?? this.end(this.current));
  }

  previousFork() {
    let each = this.current.parent;
    while (each?.parent && each.children.length < 2) each = each.parent;
    return this.goTo(each ?? this.root);
  }

  // ------------------------------------------------------------------ changing

  /** Play moves from here; what is there already is followed, anything else becomes a branch. */
  play(...moves) {
    if (moves.some((move, i) => !this._isThere(moves.slice(0, i + 1)))) this._remember();
    for (const move of moves) {
      let child = this.current.children.find((each) => each.move === move);
      if (!child) {
        child = node(move, this.current);
        this.current.children.push(child);
      }
      this.current = child;
    }
  }

  _isThere(moves) {
    let at = this.current;
    for (const move of moves) {
      const child = at.children.find((each) => each.move === move);
      if (!child) return false;
      at = child;
    }
    return true;
  }

  /** Make the line through a node the main line. @param {Node} [which] */
  promote(which = this.current) {
    this._remember();
    for (let each = which; each.parent; each = each.parent) {
      const { children } = each.parent;
      children.splice(children.indexOf(each), 1);
      children.unshift(each);
    }
  }

  /** Remove a node and all that follows. @param {Node} [which] */
  remove(which = this.current) {
    if (!which.parent) return;
    this._remember();
    const { parent } = which;
    parent.children = parent.children.filter((each) => each !== which);
    for (let each = /** @type {Node | null} */ (this.current); each; each = each.parent) {
      if (each === which) this.current = parent;
    }
  }

  /** Remove everything but the main line. */
  keepMainLine() {
    this._remember();
    const moves = this.moves(this.end());
    const ply = Math.min(this.ply, moves.length);
    this._reset(moves.join("_"));
    this.current = this.root;
    for (let i = 0; i < ply; i++) this.forward();
  }

  /** Put another tree, perhaps of another game, in the place of this one. */
  replaceWith(text, path = "", about = this.about) {
    this._remember();
    this.about = about;
    this._reset(text);
    this.goTo(path ? this._atPath(path) : this.end());
  }

  /** Back to what it was before the last change; whether there was one. */
  undo() {
    const before = this._past.pop();
    if (before === undefined) return false;
    const { text, path, about } = JSON.parse(before);
    this.about = about;
    this._reset(text);
    this.goTo(path ? this._atPath(path) : this.root);
    return true;
  }

  _remember() {
    this._past.push(JSON.stringify({ text: this.toString(), path: this.path(), about: this.about }));
    if (this._past.length > 200) this._past.shift();
  }

  // ------------------------------------------------------------------ text

  _reset(text) {
    this.root = node("", null);
    this.current = this.root;
    this._read(text);
  }

  _read(text) {
    const stack = [];
    let at = this.root;
    for (const token of text.match(/[()]|[^()_]+/g) ?? []) {
      if (token === "(") {
        stack.push(at);
        at = at.parent ?? this.root;
      } else if (token === ")") at = stack.pop() ?? this.root;
      else {
        const child = node(decoded(token), at);
        at.children.push(child);
        at = child;
      }
    }
  }

  _atPath(path) {
    let at = this.root;
    for (const step of path.split(".").filter(Boolean)) at = at.children[Number(step)] ?? at;
    return at;
  }
}

/** A move as it was before it was encoded; what is no code, as it stands. */
function decoded(token) {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** A move that can stand in a text of moves. */
export const encoded = (move) => encodeURIComponent(move).replace(/[()_]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** @param {Node} from */
function written(from) {
  const [main, ...others] = from.children;
  if (!main) return "";
  const sides = others.map((each) => `(${[encoded(each.move), written(each)].filter(Boolean).join("_")})`).join("");
  const rest = written(main);
  return encoded(main.move) + sides + (rest ? `_${rest}` : "");
}
