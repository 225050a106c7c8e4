/**
 * The secrets of a service with a data folder, in a file there: what must be the same at every start, unless the
 * environment sets it. The lines are those of an environment.
 */
import { open, readFile, rename, rm } from "node:fs/promises"
import { randomAlphanumeric } from "@postcode/node/secrets"
import { CommandFailure } from "../process/ExitCode.ts"
import { host } from "../process/Host.ts"

/** The values by the names of the environment variables. */
export type StoredSecrets = Readonly<Record<string, string>>

const pepperName = "POSTCODE_IDENTIFIER_PEPPER"

/** Reads the file; an empty record if there is none. */
export const readStoredSecrets = async (file: string): Promise<StoredSecrets> => {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw new CommandFailure(`${file} cannot be read: ${error.message}`)
  })
  return Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*?)\r?$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    })
  )
}

/**
 * Makes sure that there are secrets: new ones for a new database. A pepper that is lost is not replaced, because no end
 * user of before would be found by another.
 */
export const keepSecrets = async (file: string, isNew: boolean): Promise<void> => {
  const stored = await readStoredSecrets(file)
  const missing = Object.entries(makers).filter(([name]) => (stored[name] ?? host().env[name] ?? "") === "")
  if (!isNew) {
    if (!missing.some(([name]) => name === pepperName)) return
    throw new CommandFailure(
      `${file} has no ${pepperName}, by which end users' identifiers are hashed: put back the file from a backup, or set ` +
        "the variable to the value that it had"
    )
  }
  if (missing.length === 0) return
  await writeSecrets(file, { ...stored, ...Object.fromEntries(missing.map(([name, make]) => [name, make()])) })
}

/** Refuses a pepper of the environment that is another one than in the file, and not its successor. */
export const checkPepper = (file: string, stored: StoredSecrets): void => {
  const kept = stored[pepperName]
  const given = host().env[pepperName] ?? ""
  if (kept === undefined || given === "") return
  const valuesOf = (text: string) => text.split(",").map((part) => part.replace(/^\d+:/, ""))
  if (valuesOf(kept).every((value) => valuesOf(given).includes(value))) return
  throw new CommandFailure(
    `${pepperName} is another one than in ${file}, by which end users' identifiers are hashed: unset it, or name the one ` +
      "of the file after it"
  )
}

/** Written under another name first, so that an interruption leaves no half of it. */
const writeSecrets = async (file: string, secrets: StoredSecrets): Promise<void> => {
  const unfinished = `${file}.unfinished-${process.pid}`
  try {
    {
      await using handle = await open(unfinished, "w", 0o600)
      await handle.writeFile(
        `${heading}\n${Object.entries(secrets)
          .map(([name, value]) => `${name}=${value}\n`)
          .join("")}`
      )
      await handle.sync()
    }
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const heading = "# The secrets of this service. A variable of the same name in its environment has precedence."

const makers: Readonly<Record<string, () => string>> = {
  POSTCODE_OPERATOR_TOKEN: () => randomAlphanumeric(32),
  [pepperName]: () => `1:${randomAlphanumeric(32)}`,
  POSTCODE_SESSION_KEYS: () => `first:${randomAlphanumeric(43)}`
}
