// Places on a board, by keyboard: Tab comes to one of them, arrows lead to the others.

const SAME_ROW_MM = 1;

/** Let `places`, [{node, centre}], be gone through: left and right row by row, up and down to the nearest;
 *  Enter and the space bar tap. Tab comes to the one in `at`, else to the first. */
export function rove(places, at = null) {
  const rows = [...places].sort(({ centre: [x, y] }, { centre: [left, top] }) => (Math.abs(y - top) < SAME_ROW_MM ? x - left : y - top));
  const stop = (place) => rows.forEach(({ node }) => node.setAttribute("tabindex", node === place.node ? 0 : -1));
  const keys = {
    ArrowLeft: (place) => rows[rows.indexOf(place) - 1],
    ArrowRight: (place) => rows[rows.indexOf(place) + 1],
    ArrowUp: (place) => nearest(place, rows, -1),
    ArrowDown: (place) => nearest(place, rows, 1),
    Enter: tap,
    " ": tap,
  };
  for (const place of rows) {
    place.node.addEventListener("focus", () => stop(place));
    place.node.addEventListener("keydown", (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault(); // the page would scroll
      keys[event.key](place, event)?.node.focus();
    });
  }
  if (rows.length) stop(rows.find(({ node }) => node === at) ?? rows[0]);
}

/** The nearest place in the rows below (1) or above (-1), if there is any. */
function nearest({ centre: [x, y] }, places, down) {
  const far = ({ centre }) => Math.hypot(centre[0] - x, centre[1] - y);
  return places.filter(({ centre }) => (centre[1] - y) * down >= SAME_ROW_MM).sort((one, other) => far(one) - far(other))[0];
}

/** Let places on a board be tapped by keyboard as they are by a finger: [{key, words, centre, node}], drawn anew
 *  in their layer. The focus stays where it was. */
export function look(layer, places, onTap) {
  const held = layer.querySelector('[tabindex="0"]');
  const isHere = held !== null && held === document.activeElement;
  for (const { key, words, node } of places) {
    for (const [name, value] of Object.entries({ class: "looked", role: "button", "aria-label": words, "data-key": key })) node.setAttribute(name, value);
    node.addEventListener("click", () => onTap(key));
  }
  layer.replaceChildren(...places.map(({ node }) => node));
  const again = places.find(({ key }) => key === held?.dataset.key)?.node;
  rove(places, again);
  if (isHere) again?.focus({ preventScroll: true });
}

function tap({ node }, { repeat }) {
  if (!repeat) node.dispatchEvent(new MouseEvent("click", { bubbles: true })); // a key held down taps once
}

/** The board was drawn anew: the focus goes to where Tab comes to. */
export function focusOnBoard(part) {
  part.querySelector('.board [tabindex="0"]')?.focus({ preventScroll: true });
}
