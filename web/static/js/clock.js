// The clock of the table's computer, held against this phone's: a Pi without a network does not know the time.

const MOST_MS = 3_600_000; // less puts no roll into another evening
const DAY = { dateStyle: "medium", timeStyle: "short" };

/** What is amiss with the clock by which an answer of the table is dated: {clock: words}, or nothing. */
export function clockAmiss(date) {
  const there = Date.parse(date);
  if (!(Math.abs(there - Date.now()) > MOST_MS)) return {};
  const words = new Date(there).toLocaleString("en-GB", DAY);
  const now = new Date().toISOString().slice(0, 16).replace("T", " ");
  return { clock: `The table says that it is ${words}, this phone says otherwise. Rolls are kept under the table’s date. A network puts it right; else type on its computer: sudo date -s "${now} UTC"` };
}
