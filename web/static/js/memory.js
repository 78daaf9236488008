// What this phone remembers from one evening to the next. Some browsers keep nothing, as those within another
// app that reads codes, or where people have said so: then it is remembered until the page is left.

const unkept = new Map();

/** What was kept under a name, else `otherwise`. */
export function recall(name, otherwise) {
  if (unkept.has(name)) return unkept.get(name);
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep a value under a name; returns whether it will be there another time. */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    unkept.delete(name);
    return true;
  } catch {
    unkept.set(name, value);
    return false;
  }
}
