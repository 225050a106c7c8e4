/** Reads those options of a tool that are whole numbers above 0, as `parseArgs` found them. */
export const wholeOptions =
  <Name extends string>(values: Readonly<Record<Name, unknown>>) =>
  (name: Name): number => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name}: expected a whole number above 0`)
    return value
  }
