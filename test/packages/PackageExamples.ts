/** The examples in the README of an installed package: its users' file, not the one that stands in the workspace. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import { expect } from "vitest"
import { type DemonstrationService, databaseFor, ownEnvironment } from "../documents/DemonstrationService.ts"
import { type Example, examplesIn, isAnsweredBy } from "../markdown/MarkdownExamples.ts"
import type { Installed, InstalledPackages } from "./InstalledPackages.ts"

/** Where examples run: beside the installed packages, and with a service to ask. */
export interface Place {
  readonly installed: InstalledPackages
  readonly service: DemonstrationService
}

export const examplesOf = ({ folder }: Installed): ReadonlyArray<Example> =>
  examplesIn(readFileSync(join(folder, "README.md"), "utf8"))

/** Runs examples one after the other, and compares what they say; there has to be something to compare. */
export const expectAnswers = async (
  examples: ReadonlyArray<Example>,
  run: (example: Example) => Promise<string>
): Promise<void> => {
  for (const example of examples) {
    const output = await run(example)
    if (example.answer !== undefined) expect(isAnsweredBy(example.answer, output), `it answered:\n${output}`).toBe(true)
  }
  expect(examples.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(0)
}

/**
 * Runs an example as a program, or by the shell, with the installed commands at hand.
 *
 * @param runtime runs programs; Node by default
 */
export const runExample = async (
  { code, language, line }: Example,
  place: Place,
  runtime: ReadonlyArray<string> = [process.execPath]
): Promise<string> => {
  if (/^npm install /.test(code)) return ""
  const addressed = forService(code, place)
  if (language === "sh") return await ran(["sh", "-e", "-c", addressed], place)
  const file = join(place.installed.folder, `example-${line}.ts`)
  await writeFile(file, addressed)
  await using database = await databaseFor(code)
  return await ran([...runtime, file], place, database.env)
}

/**
 * What a program writes to standard output, without warnings of its gateway, which says when a busy machine makes it
 * wait for its database. A program that fails is an error with all that it wrote.
 */
export const ran = async (
  [program = "", ...args]: ReadonlyArray<string>,
  { installed: { folder }, service }: Place,
  more: NodeJS.ProcessEnv = {}
): Promise<string> => {
  const PATH = `${join(folder, "node_modules", ".bin")}:${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...ownEnvironment(), ...service.secrets, NO_COLOR: "1", ...more, PATH }
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env })
  return stdout.replaceAll(warning, "")
}

/** A record of Effect's log: its indented lines, and the brace that closes an error, belong to it. */
const warning = /^\[[\d:.]+\] WARN .* waits? for the database .*\n(?:(?:\s|\}).*\n)*/gm

/** A program for browsers that asks the service, with all that it needs in one file. */
export const bundleExample = async (code: string, place: Place): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: forService(code, place), resolveDir: place.installed.folder, loader: "ts" },
    define: { "process.env.POSTCODE_KEY": JSON.stringify(place.service.secrets.POSTCODE_KEY) },
    bundle: true,
    format: "esm",
    target: "es2023",
    write: false
  })
  return outputFiles[0]?.text ?? ""
}

const forService = (code: string, { service }: Place): string => code.replaceAll("http://127.0.0.1:3000", service.url)
