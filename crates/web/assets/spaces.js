// The spaces of a map as the server draws them: where they lie, what they are called, how far they
// are apart. `map` gives the element of the map at the time.
"use strict";
const spacesOf = (map) => {
  const SIDE = 40, ROW = 35;
  const hex = () => map().dataset.grid === "hex";
  const size = () => [Number(map().dataset.columns), Number(map().dataset.rows)];

  // Spaces by column and row, and their names.
  const letters = (column) => (column >= 26 ? String.fromCharCode(64 + Math.floor(column / 26)) : "") + String.fromCharCode(65 + (column % 26));
  const nameOf = ([column, row]) => `${letters(column)}${row + 1}`;
  const placeOf = (name) => {
    const [, text, row] = /^([A-Z]+)(\d+)$/.exec(name);
    const column = [...text].reduce((all, letter) => all * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    return [column, Number(row) - 1];
  };
  const middle = ([column, row]) => hex()
    ? [column * SIDE + (row % 2 ? SIDE : SIDE / 2), row * ROW + SIDE / 2]
    : [column * SIDE + SIDE / 2, row * SIDE + SIDE / 2];
  const inside = ([column, row]) => { const [columns, rows] = size(); return column >= 0 && row >= 0 && column < columns && row < rows; };
  const spaceAt = (x, y) => {
    if (!hex()) return [Math.floor(x / SIDE), Math.floor(y / SIDE)];
    let best = null, least = Infinity;
    const row = Math.round((y - SIDE / 2) / ROW);
    for (const r of [row - 1, row, row + 1]) {
      const column = Math.round((x - (r % 2 ? SIDE : SIDE / 2)) / SIDE);
      for (const c of [column - 1, column, column + 1]) {
        const [mx, my] = middle([c, r]);
        const far = Math.hypot(x - mx, y - my);
        if (far < least) [best, least] = [[c, r], far];
      }
    }
    return best;
  };
  // The space beside another: up and down are to the right in hexes.
  const beside = ([column, row], [x, y]) => [column + (hex() && y ? row % 2 : x), row + y];
  // The spaces with which a space has an edge.
  const sides = ([column, row]) => hex()
    ? [[column - 1, row], [column + 1, row], ...[row - 1, row + 1].flatMap((r) => [[column - 1 + (row % 2), r], [column + (row % 2), r]])]
    : [[column - 1, row], [column + 1, row], [column, row - 1], [column, row + 1]];
  // The ends of the edge between two spaces, as it is drawn.
  const edge = ([from, to]) => {
    const [[x, y], [a, b]] = [middle(from), middle(to)];
    const long = hex() ? 0.29 : 0.5;
    const [across, down] = [(b - y) * long, (a - x) * long];
    return [(x + a) / 2 - across, (y + b) / 2 + down, (x + a) / 2 + across, (y + b) / 2 - down];
  };
  // Two spaces in the order of their rows, and in a row of their columns.
  const inOrder = (a, b) => b[1] < a[1] || b[1] === a[1] && b[0] < a[0] ? [b, a] : [a, b];
  // The edge nearest to a point, by the spaces beside it; within a stroke none where two are equally near.
  const edgeAt = ([x, y], isStroke) => {
    const from = spaceAt(x, y);
    if (!inside(from)) return null;
    const [mx, my] = middle(from);
    let best = null, least = Infinity;
    for (const to of sides(from).filter(inside)) {
      const [a, b] = middle(to);
      const far = Math.hypot(a - mx, b - my);
      const off = far / 2 - ((x - mx) * (a - mx) + (y - my) * (b - my)) / far;
      const aside = Math.abs((x - mx) * (b - my) - (y - my) * (a - mx)) / far;
      if (off < least) [best, least] = [{ to, aside, far }, off];
    }
    if (!best || isStroke && (least > SIDE / 4 || best.aside > best.far * (hex() ? 0.17 : 0.3))) return null;
    return inOrder(from, best.to);
  };
  // How far two spaces are from each other, counted as the table counts.
  const apart = ([a, b], [c, d]) => {
    if (map().dataset.grid === "orthogonal") return Math.abs(a - c) + Math.abs(b - d);
    if (!hex()) return Math.max(Math.abs(a - c), Math.abs(b - d));
    const across = Math.abs((2 * a + (b % 2)) - (2 * c + (d % 2)));
    const down = Math.abs(b - d);
    return down + Math.max(0, (across - down) / 2);
  };
  const down = () => hex() ? ROW : SIDE;
  return { SIDE, down, size, nameOf, placeOf, middle, inside, spaceAt, beside, edge, edgeAt, inOrder, apart };
};
