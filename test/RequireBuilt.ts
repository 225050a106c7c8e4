/** Tests start programs on what was built, which takes a third of the time that loading the sources takes. */
import { allPackages, outdated } from "../scripts/bundles.mjs"

const checked = new Set<string>()

/** Fails unless these packages are built, by default all, and their sources have not changed since. */
export const requireBuilt = (names: ReadonlyArray<string> = allPackages().map(({ name }) => name)): void => {
  const unchecked = allPackages().filter(({ name }) => names.includes(name) && !checked.has(name))
  const old = outdated(unchecked).map(({ name }) => name)
  if (old.length > 0) throw new Error(`${old.join(", ")}: not built, or changed since. Run "npm run build".`)
  for (const { name } of unchecked) checked.add(name)
}
