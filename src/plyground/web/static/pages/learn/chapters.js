// @ts-check
// The course: ten short chapters, each with searches that are made in the page and an exercise. Every
// number in the text comes from those searches: [[run.field]] is filled in when a run is there.
//
// A chapter: slug, title, runs by name (what is searched), blocks in their order, and the exercise:
//   "text"                      a paragraph
//   { tree: run, caption }      the picture of a small tree, with a replay
//   { counts: [[label, run]] }  a table of what searches cost
//   { passes: run }             what each pass of a search asked and heard
//   { board: name }             a position, with what is known of its moves
//   { simulations: run }        the moves of a Monte-Carlo search
// What the text points at beside the plain numbers of a run is derived from the runs.
// An exercise has a question, fields with their labels, and answers from the runs, or a check of its own;
// it is about another tree or position than the text, which would give the answer away.
import { leastLeaves, pass, refuted, tempting, tested } from "./pointing.js";

const tree = (text, algorithm, depth = 6) => ({ line: { game: "textbook", settings: { tree: text } }, trace: { algorithm, depth } });
const made = (settings, trace) => ({ line: { game: "synthetic", settings }, trace });
const play = (game, moves, trace) => ({ line: { game, moves }, trace });

const FIRST = "(3 12 8) (2 4 6) (14 5 2)";
const SECOND = "((6 2) (9 1)) ((3 8) (5 4))";
const THIRD = "((4 7) (2 6)) ((3 8) (9 5))";
const WORST = "((2 0) (4 6)) ((5 1) (3 7)) ((2 9) (6 8))"; // the best moves last
const SIEW = "((5 3) (2 7)) ((8 9) (4 1))";
const ORDERED = { branching: 4, depth: 6, leaves: "ordered", seed: 7 };
const OPENING = ["f5", "d6", "c3"];

export const CHAPTERS = [
  {
    slug: "minimax",
    title: "Minimax: think of the reply",
    runs: { whole: tree(FIRST, "minimax"), exercise: tree(SECOND, "minimax") },
    blocks: [
      "Two players take turns. All that can happen from now on makes a tree: at the top the position on the board, below it one branch for each move, below those the replies, and so on until the game ends or we stop looking. The positions where we stop are the leaves, and each leaf gets a number: how good it is for the player who moves first. That player wants a large number; the other wants a small one.",
      "So who decides which leaf is reached? Both do. At a triangle that points up (▲) the first player chooses the largest number below; at one that points down (▼) the second player chooses the smallest. Work from the bottom to the top and every position gets a number of its own. This is minimax.",
      { tree: "whole", caption: "Step through it: a value appears when all moves below a position are known." },
      "In this tree move [[whole.move]] is best, and the root is worth [[whole.value]]. Move [[tempting.move]] looks tempting, since it can lead to [[tempting.leaf]], but the other player would never allow that: reply [[tempting.reply]] holds it to [[tempting.worth]].",
      "To be sure, minimax looked at [[whole.leaves]] leaves, all there are, and [[whole.nodes]] positions in all. In a real game there are far too many. The rest of this course is about how to know the same while looking at less.",
    ],
    derived: (runs) => ({ tempting: tempting(runs.whole) }),
    exercise: {
      question: "Find the value of this tree by hand. The first player moves at the root.",
      show: { whole: "exercise" },
      fields: [{ label: "Value of the root", answer: (runs) => runs.exercise.value }],
      hint: "Begin at the bottom: the lowest triangles point up, so each takes the larger of its two leaves. The row above takes the smaller of those.",
    },
  },
  {
    slug: "alpha-beta",
    title: "Alpha-beta: what cannot matter",
    runs: { cut: tree(FIRST, "falphabeta"), whole: tree(FIRST, "minimax"), exercise: tree(SECOND, "alphabeta"), exerciseWhole: tree(SECOND, "minimax") },
    blocks: [
      "Look at the same tree again. The first move is worth [[refuted.first]]. Now move [[refuted.move]]: its first reply leads to [[refuted.leaf]]. The second player has other replies, but whatever they are worth, this move is worth [[refuted.leaf]] at most, and the first player already has [[refuted.first]]. The [[refuted.cut]] other replies cannot matter: cut them.",
      { tree: "cut", caption: "Dashed branches were cut. The small numbers beside a triangle are its window." },
      "To do this everywhere, a search carries two numbers down the tree. Alpha is what the first player is already sure of, beta what the second player is sure of. Together they are the window: only values between them can still change anything. As soon as a position reaches the other side of its window, its remaining moves are cut. This is alpha-beta.",
      { counts: [["minimax", "whole"], ["alpha-beta", "cut"]] },
      "The value is the same, [[cut.value]], and so is the move; only work is saved. Click a cut node in the Tree page and choose “Search the cut moves anyway”: the root never changes.",
    ],
    derived: (runs) => ({ refuted: refuted(runs.cut) }),
    exercise: {
      question: "Search this tree by hand with alpha-beta, from left to right. How many leaves are never looked at?",
      show: { whole: "exerciseWhole" },
      fields: [{ label: "Leaves never looked at", answer: (runs) => runs.exerciseWhole.leaves - runs.exercise.leaves }],
      hint: "After the first move the first player has a value for sure. In the second half, ask after every leaf: can this position still become better than that?",
      more: { text: "Practise node by node in the quiz", href: "/tree?game=textbook&algo=alphabeta&depth=4" },
    },
  },
  {
    slug: "ordering",
    title: "Ordering: the best move first",
    runs: {
      best: made({ ...ORDERED, quality: 1 }, { algorithm: "alphabeta", depth: 6 }),
      half: made({ ...ORDERED, quality: 0.5 }, { algorithm: "alphabeta", depth: 6 }),
      never: made({ ...ORDERED, quality: 0 }, { algorithm: "alphabeta", depth: 6 }),
      whole: made({ ...ORDERED, quality: 1 }, { algorithm: "minimax", depth: 6 }),
      exercise: tree(FIRST, "alphabeta", 2),
    },
    blocks: [
      "Alpha-beta cuts when it already knows something good. So it pays to look at good moves first: then the window is narrow from the beginning, and almost everything else can be refuted by one reply.",
      "Here are trees with [[best.branching]] moves everywhere and [[best.depth]] plies, the same but for the order of moves: in the first the best move always comes first, in the second half of the time, in the third never.",
      { counts: [["minimax", "whole"], ["best move first", "best"], ["first half of the time", "half"], ["never first", "never"]] },
      "With the best order alpha-beta looks at [[best.leaves]] leaves. Nothing that proves the value can look at fewer: for [[best.branching]] moves and [[best.depth]] plies that is [[least.formula]] = [[least.leaves]]. With the best move never first it takes [[never.leaves]], still less than the [[whole.leaves]] of minimax. Real programs guess the order: the move that was best in a shallower search, captures, moves that cut elsewhere.",
    ],
    derived: (runs) => ({ least: leastLeaves(runs.best) }),
    exercise: {
      question: "Write this tree in an order in which alpha-beta looks at as few leaves as possible. You may swap moves at the root, and replies below each.",
      show: { whole: "exercise" },
      fields: [{ label: "The tree, reordered", wide: true, start: FIRST }],
      check: async ([text], { search, runs }) => {
        if (shape(text) !== shape(FIRST)) return "That is another tree: the same numbers must be under the same moves, in any order.";
        runs.tried = await search(tree(text, "alphabeta", 2));
        return runs.tried.leaves <= runs.exercise.least || "That order looks at [[tried.leaves]] leaves; [[exercise.least]] are enough.";
      },
      hint: "Which move is best for the first player? It should come first. And below each other move, which reply refutes it soonest?",
    },
  },
  {
    slug: "tables",
    title: "Transposition tables: remember positions",
    runs: { without: play("mnk", ["b2"], { algorithm: "abmemory", depth: 6, table: false }), with: play("mnk", ["b2"], { algorithm: "abmemory", depth: 6, table: true }) },
    blocks: [
      "Different orders of moves often lead to the same position. In tic-tac-toe, a1 for X, b2 for O, c3 for X gives the same board as c3, b2, a1. A tree counts it twice; a program that remembers need not.",
      "A transposition table keeps, for every position that was searched, what was found: the value, or if the search was cut, a bound: at least this much, or at most that much. When the position comes up again, the table may settle it at once. If not, its best move is tried first, which helps the ordering.",
      { counts: [["without a table", "without"], ["with a table", "with"]] },
      "This is tic-tac-toe after a move in the middle, [[with.depth]] plies deep. The table was asked [[with.probes]] times and knew the position [[with.hits]] times; it saves [[table.saved]] of the nodes. The value, [[with.value]], stays the same.",
      "A bound is only good if it lies on the right side of the window. “At least so much” settles the question if that reaches beta, “at most so much” if it does not exceed alpha; otherwise the position is searched after all.",
    ],
    derived: (runs) => ({ table: { saved: `${Math.round(100 * (1 - runs.with.nodes / runs.without.nodes))} %` } }),
    exercise: {
      question: "In tic-tac-toe, X plays a1, O plays b2, X plays c3, O plays b1. Write another order of moves, by turns, that leads to the same position.",
      fields: [{ label: "Moves", wide: true }],
      check: async ([text], { position }) => {
        const target = ["a1", "b2", "c3", "b1"];
        const moves = text.trim().toLowerCase().split(/[\s,;]+/).filter(Boolean);
        if (moves.join() === target.join()) return "That is the same order.";
        const [wanted, found] = await Promise.all([position("mnk", target), position("mnk", moves)]);
        return wanted.position === found.position || "That leads to another position. Each player's own moves may change places.";
      },
      hint: "X can begin with c3 and play a1 later.",
    },
  },
  {
    slug: "scout",
    title: "SCOUT: ask before you look",
    runs: { scout: tree(SIEW, "scout"), ab: tree(SIEW, "alphabeta"), whole: tree(SIEW, "minimax"), exercise: tree(THIRD, "scout"), exerciseWhole: tree(THIRD, "minimax") },
    blocks: [
      "Once the first move has a value, the question for every other move is only: is it better? A yes-or-no question is cheaper than finding out how good. SCOUT asks it with a window that has no room for anything between yes and no, such as [[test.from]] to [[test.to]]. Only if the answer is yes, the move is searched again to find its true value.",
      { tree: "scout", caption: "Move [[test.move]] of this tree is only tested." },
      "In this tree, drawn after a study by Siew, alpha-beta looks at [[ab.leaves]] of the [[whole.leaves]] leaves. SCOUT tests move [[test.move]]: is it worth more than [[test.from]]? The first leaf of reply [[test.yes]] already says that it might be, so the other is skipped; reply [[test.no]] then says no. SCOUT looked at [[scout.leaves]] leaves.",
      { counts: [["alpha-beta", "ab"], ["SCOUT", "scout"]] },
      "The price: a move that turns out to be better is searched twice. With a good order that is rare. NegaScout and palphabeta are the same idea, put into one procedure with windows; nearly every strong program uses it.",
    ],
    derived: (runs) => ({ test: tested(runs.scout), asked: tested(runs.exercise) }),
    exercise: {
      question: "SCOUT searches this tree. With which window does it test move [[asked.move]] at the root?",
      show: { whole: "exerciseWhole" },
      fields: [
        { label: "From", answer: (runs) => runs.asked.from },
        { label: "To", answer: (runs) => runs.asked.to },
      ],
      hint: "First find out what the move before it is worth. The question is whether this one is worth more, so the window begins there; values are whole numbers.",
    },
  },
  {
    slug: "mtdf",
    title: "MTD(f): close in from a guess",
    runs: { mtdf: tree(FIRST, "mtdf"), ab: tree(FIRST, "abmemory"), exercise: tree(THIRD, "mtdf"), exerciseWhole: tree(THIRD, "minimax") },
    blocks: [
      "If yes-or-no questions are cheap, why not ask nothing else? MTD(f) begins with a guess f, here [[first.to]], and asks: is the value at least f? Every answer is a bound that moves the question, until the lower and the upper bound meet: that is the value.",
      { passes: "mtdf" },
      "Here it took [[mtdf.passes]] passes and [[mtdf.nodes]] nodes for the value [[mtdf.value]]; one search with the widest window took [[ab.nodes]]. Each pass would have to start all over, if it were not for the transposition table: what an earlier pass has found is not searched again.",
      "The better the guess, the fewer the passes. Programs search depth after depth and guess the value of the depth before; then MTD(f) often needs only a few.",
    ],
    derived: (runs) => ({ first: pass(runs.mtdf, 1), begun: pass(runs.exercise, 1), next: pass(runs.exercise, 2) }),
    exercise: {
      question: "MTD(f) searches this tree and begins with the guess [[begun.to]]: the first pass asks whether the value is at least that. With which window does the second pass ask?",
      show: { whole: "exerciseWhole" },
      fields: [
        { label: "From", answer: (runs) => runs.next.from },
        { label: "To", answer: (runs) => runs.next.to },
      ],
      hint: "The first pass leaves a position as soon as the answer is yes there, so below the first move it sees one leaf of each reply. The second player takes the smaller: the value is at least so much. The next question is whether it is at least one more.",
    },
  },
  {
    slug: "sss",
    title: "SSS*: best first",
    runs: { sss: tree(WORST, "sss"), ab: tree(WORST, "alphabeta"), dual: tree(WORST, "dual"), exercise: tree(THIRD, "sss"), exerciseWhole: tree(THIRD, "minimax") },
    blocks: [
      "All searches so far go from left to right and dive to the bottom. SSS* jumps about: it keeps a list of open places in the tree, each with an upper bound on what the first player can get there, and always works on the one with the highest bound. When the root itself is at the top of the list, solved, its bound is the value.",
      { tree: "sss", caption: "Step through the visits and see it jump." },
      "SSS* never looks at a leaf that alpha-beta would cut: here it took [[sss.leaves]] leaves and alpha-beta [[ab.leaves]]. DUAL*, the same from below, took [[dual.leaves]].",
      { counts: [["alpha-beta", "ab"], ["SSS*", "sss"], ["DUAL*", "dual"]] },
      "For years it was thought better but impractical: the list is large and slow to keep sorted. Then it was shown that MTD with a table, begun with the guess +∞, visits the same leaves in the same order. The puzzle of best-first search was a matter of windows and memory after all.",
    ],
    exercise: {
      question: "How many of the [[exerciseWhole.leaves]] leaves of this tree does SSS* look at before it is sure?",
      show: { whole: "exerciseWhole" },
      fields: [{ label: "Leaves", answer: (runs) => runs.exercise.leaves }],
      hint: "It begins with one leaf below each lowest ▲ that the second player could choose, and goes on where the bound is highest. The Tree page replays it.",
      more: { text: "Replay SSS* on this tree", href: `/tree?game=textbook&set=${encodeURIComponent(`tree=${THIRD}`)}&algo=sss&depth=4&visit=0` },
    },
  },
  {
    slug: "evaluation",
    title: "Evaluation: guesses at the leaves",
    runs: { one: play("othello", OPENING, { algorithm: "alphabeta", depth: 1 }), three: play("othello", OPENING, { algorithm: "alphabeta", depth: 3 }), exercise: play("othello", ["f5", "f6"], { algorithm: "alphabeta", depth: 1 }) },
    explained: { game: "othello", moves: OPENING },
    blocks: [
      "A real game is too deep to be searched to its end, so the leaves are positions in the middle, and somebody has to say what they are worth. An evaluator does so by adding up factors: in Othello the number of moves that each side has, corners, discs that can never be turned over, discs at the edge of the crowd. Each has a weight.",
      { board: "explained" },
      "Such a number is a guess. Searching deeper repairs many wrong guesses, since whatever is about to happen is seen to happen. With depth [[one.depth]] the search likes [[one.move]], worth [[one.value]]; with depth [[three.depth]] it expects [[three.line]], worth [[three.value]].",
      "A good evaluator is worth several plies, and a fast one allows some. Which factors and which weights are best is found out by playing: the Tournaments page measures it, and the Lab repeats the studies in which others did.",
    ],
    exercise: {
      question: "A game begins f5, f6. Look one ply ahead with the usual evaluator: after which move of Black does the position look best for Black?",
      fields: [{ label: "Move", answer: (runs) => runs.exercise.move }],
      hint: "Search it with depth [[exercise.depth]]: the Tree page lists every move with what the evaluator says of it.",
      more: { text: "Open the position in Tree", href: "/tree?game=othello&moves=f5_f6&algo=minimax&depth=1" },
    },
  },
  {
    slug: "endgames",
    title: "Endgames: no more guesses",
    solved: { shown: { game: "connect4", moves: [..."453442233771114635"] }, exercise: { game: "connect4", moves: [..."757745411165145735"] } },
    runs: {},
    blocks: [
      "Near its end a game is small enough to be searched to the last move. Then nothing is guessed: every value is proven. Programs for Othello play the last third of a game without a mistake, and Connect Four is solved from the first move.",
      { board: "shown" },
      "What the table says of the columns is proven: how soon the side to move wins or loses if both do their best. Column [[shown.best]] is a [[shown.score]]; every other is a [[shown.others]].",
      "Such searches need no evaluator, but every other trick of this course: order, tables, minimal windows; and symmetry, bounds from counting, and positions packed into the bits of two numbers, so that a move is one addition. Here [[shown.nodes]] positions were enough.",
    ],
    exercise: {
      question: "In this position [[exercise.wins]] of [[exercise.count]] columns wins for [[exercise.mover]], who is to move. Which?",
      show: { board: "exercise" },
      fields: [{ label: "Column", answer: (runs) => runs.exercise.best }],
      hint: "Look for a move that makes a threat which must be answered, and what that answer allows. The Analyse page proves every column.",
      more: { text: "Open the position in Analyse", href: "/analyse?game=connect4&moves=7_5_7_7_4_5_4_1_1_1_6_5_1_4_5_7_3_5" },
    },
  },
  {
    slug: "mcts",
    title: "Monte-Carlo tree search: play it out",
    simulations: { line: { game: "mnk", moves: ["b2", "a1"] }, simulations: { count: 400, seed: 1 } },
    runs: {},
    blocks: [
      "There is another way to value a position: play it out at random, many times, and count. Monte-Carlo tree search does this with care. Each simulation walks down the tree, adds a node, plays a random game from there, and tells every node on its way who won.",
      "On the way down it must choose between moves that have done well and moves that were tried seldom. The bound does both: the mean result so far, plus curiosity, which shrinks with every visit. The move with the highest bound is tried next.",
      { simulations: "sims" },
      "After [[sims.count]] simulations of tic-tac-toe the most visited move is [[sims.move]], tried [[sims.best]] times. Nothing is proven, but the tree has grown where it matters: good moves were visited most.",
      "Where positions are easy to evaluate and tactics are sharp, alpha-beta is stronger. Where nobody knows how to evaluate, as long in Go, simulations win; with a learned evaluator instead of random games they became the strongest players of all.",
    ],
    exercise: {
      question: "A node below the root was visited once before it had children. The most visited move above has been visited as often as the table says. How many visits do its children have together?",
      fields: [{ label: "Visits of its children", answer: (runs) => runs.sims.below }],
      hint: "Every visit but the very first went on to one of its children.",
    },
  },
];

/** A tree without the order of its branches. @param {string} text */
function shape(text) {
  const tokens = text.match(/[()]|-?\d+/g) ?? [];
  const stack = /** @type {any[][]} */ ([[]]);
  for (const token of tokens) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const done = stack.pop() ?? [];
      if (!stack.length) return "";
      stack[stack.length - 1].push(`(${done.sort().join(" ")})`);
    } else stack[stack.length - 1].push(token);
  }
  return stack.length === 1 ? stack[0].sort().join(" ") : "";
}
