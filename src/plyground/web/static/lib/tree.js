// @ts-check
// A game with its variations: what it is about, a tree of moves, the place where one is, and undo for
// every change.
// As text: moves separated by "_", variations in brackets before the move they replace is followed:
// "f5_d6(f4_c3)_c3" has d6 as the main move and f4 as its alternative. Knows no rule.

/** @typedef {{ move: string, children: Node[], parent: Node | null }} Node */
/** What was removed, each with the moves before it and its place among its siblings; where one was, and where one was left. @typedef {{ cuts: Array<{ node: Node, before: string[], place: number }>, was: string[], left: string[] }} Removal */

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

  /** The node of this line after so many moves, or the nearest that there is. */
  atPly(ply) {
    const nodes = [this.root, ...this.line()];
    return nodes[Math.max(0, Math.min(nodes.length - 1, ply))];
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
    if (!this._isThere(moves)) this._remember();
    this.current = grown(this.current, moves);
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

  /** Remove a node that is not the root, and all that follows. @param {Node} [which] @returns {Removal} */
  remove(which = this.current) {
    this._remember();
    const was = this.moves();
    for (let each = /** @type {Node | null} */ (this.current); each; each = each.parent) {
      if (each === which) this.current = /** @type {Node} */ (which.parent);
    }
    return { cuts: [this._cut(which)], was, left: this.moves() };
  }

  /** Remove everything but the main line. @returns {Removal} */
  keepMainLine() {
    this._remember();
    const was = this.moves();
    const cuts = [];
    for (let each = this.root; each.children.length; [each] = each.children) {
      cuts.push(...each.children.slice(1).map((other) => this._cut(other)));
    }
    this.goTo(this.end());
    this.goTo(this.atPly(was.length));
    return { cuts, was, left: this.moves() };
  }

  _cut(which) {
    const { parent } = which;
    const place = parent.children.indexOf(which);
    parent.children.splice(place, 1);
    return { node: which, before: this.moves(parent), place };
  }

  /** Put back what was removed; whatever was done since stays. @param {Removal} removal */
  putBack({ cuts, was, left }) {
    this._remember();
    const hasStayed = JSON.stringify(this.moves()) === JSON.stringify(left);
    for (const { node, before, place } of cuts.toReversed()) graft(grown(this.root, before), node, place);
    if (hasStayed) this.goTo(grown(this.root, was));
  }

  /** Put another tree, perhaps of another game, in the place of this one; what `restore` brings back. */
  replaceWith(text, path = "", about = this.about) {
    const before = this._remember();
    this.about = about;
    this._reset(text);
    this.goTo(path ? this._atPath(path) : this.end());
    return before;
  }

  /** Back to what was replaced; undo returns to what came since. @param {string} before */
  restore(before) {
    this._remember();
    this._return(before);
  }

  /** Back to what it was before the last change; whether there was one. */
  undo() {
    const before = this._past.pop();
    if (before !== undefined) this._return(before);
    return before !== undefined;
  }

  _remember() {
    const now = JSON.stringify({ text: this.toString(), path: this.path(), about: this.about });
    this._past.push(now);
    if (this._past.length > 200) this._past.shift();
    return now;
  }

  _return(before) {
    const { text, path, about } = JSON.parse(before);
    this.about = about;
    this._reset(text);
    this.goTo(path ? this._atPath(path) : this.root);
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

/** The node that moves lead to, made if it is not there. @param {Node} from @param {string[]} moves */
function grown(from, moves) {
  let at = from;
  for (const move of moves) {
    let child = at.children.find((each) => each.move === move);
    if (!child) at.children.push((child = node(move, at)));
    at = child;
  }
  return at;
}

/** Give a node and all that follows it to a parent; what that has already stays. @param {Node} parent @param {Node} from @param {number} place */
function graft(parent, from, place) {
  const twin = parent.children.find((each) => each.move === from.move);
  if (twin) from.children.forEach((child) => graft(twin, child, twin.children.length));
  else {
    from.parent = parent;
    parent.children.splice(place, 0, from);
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
