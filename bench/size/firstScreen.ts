/** The files that the console loads up to the first screen after sign-in, the home of an organization. */

interface File {
  readonly path: string
  readonly content: string
}

/** The page, what it loads, and the home with what that imports. Other screens load when they are opened. */
export const firstScreen = <F extends File>(files: ReadonlyArray<F>): ReadonlyArray<F> => {
  const byName = new Map(files.map((file) => [nameOf(file), file]))
  const needed = new Set<F>()
  const add = (file: F | undefined): void => {
    if (file === undefined || needed.has(file)) return
    needed.add(file)
    const names = file.path.endsWith(".js") ? staticImport : file.path.endsWith("/") ? fileOfPage : undefined
    if (names === undefined) return
    for (const [, name = ""] of file.content.matchAll(names)) add(byName.get(name))
  }
  add(files.find(({ path }) => path === "/console/"))
  for (const file of files) if (nameOf(file).startsWith("home-")) add(file)
  return [...needed]
}

const nameOf = ({ path }: File): string => path.slice(path.lastIndexOf("/") + 1)
const staticImport = /(?:from|import)\s*"\.\/([\w.-]+\.js)"/g
const fileOfPage = /assets\/([\w.-]+)/g
