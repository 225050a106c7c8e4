/** The user's folders for configuration and for cached files. */
import { join } from "node:path"
import { host } from "./Host.ts"

/** `$XDG_CONFIG_HOME/postcode`, or the same in the system's folder for configuration; undefined without a home. */
export const configurationFolder = (): string | undefined =>
  folderOf("XDG_CONFIG_HOME", { win32: ["APPDATA"], darwin: "Library/Application Support", others: ".config" })

/** `$XDG_CACHE_HOME/postcode`, or the same in the system's folder for caches; undefined without a home. */
export const cacheFolder = (): string | undefined =>
  folderOf("XDG_CACHE_HOME", { win32: ["LOCALAPPDATA", "Cache"], darwin: "Library/Caches", others: ".cache" })

/** Where the folder is if the variable is not set. */
interface Places {
  /** A variable, and folders below the command's own. */
  readonly win32: readonly [variable: string, ...below: ReadonlyArray<string>]
  /** Below the home folder. */
  readonly darwin: string
  readonly others: string
}

const folderOf = (variable: string, { darwin, others, win32 }: Places): string | undefined => {
  const chosen = setVariable(variable)
  if (chosen !== undefined) return join(chosen, "postcode")
  if (process.platform === "win32") {
    const [base, ...below] = win32
    const folder = setVariable(base)
    return folder && join(folder, "postcode", ...below)
  }
  const home = setVariable("HOME")
  return home && join(home, process.platform === "darwin" ? darwin : others, "postcode")
}

/** An empty variable counts as not set. */
const setVariable = (name: string): string | undefined => host().env[name] || undefined
