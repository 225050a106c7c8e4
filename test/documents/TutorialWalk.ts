/** A reader who goes through a tutorial: runs its commands in a folder, writes its programs into it, and keeps what it exports. */
import { spawn } from "node:child_process"
import { EventEmitter, once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { root } from "../../scripts/workspace.mjs"
import { type Example, examplesIn, generalized, isAnsweredBy } from "../markdown/MarkdownExamples.ts"
import { commandsOf, isRun, withoutSettingUp } from "../markdown/ShellCommands.ts"
import { outputOf, rememberIds, shellFunctions } from "./ExampleSession.ts"

/** A program that runs until it is stopped. */
export interface RunningProgram {
  /** All that it wrote so far. */
  readonly output: () => string
  /** Waits until it has written something; fails if it ends before. */
  readonly waitFor: (pattern: RegExp) => Promise<string>
  readonly stop: () => Promise<void>
}

export interface TutorialWalk {
  readonly folder: string
  /** What its commands know: changed by tests, and by what a page exports. */
  readonly env: NodeJS.ProcessEnv
  /** Runs the examples of a section, `5` or `What to watch`, in order, except programs that run until they are stopped. */
  readonly follow: (section: string, from?: number, to?: number) => Promise<void>
  /** The settings that a section exports as they stand there. */
  readonly settingsOf: (section: string) => Readonly<Record<string, string>>
  /** Starts a program of the folder, or any other one, with Node. */
  readonly start: (...args: ReadonlyArray<string>) => RunningProgram
  readonly close: () => Promise<void>
}

/**
 * @param page the tutorial, from the workspace's root
 * @param env the environment of its commands
 * @param replaced what is written otherwise in its commands and programs: ports that are free here
 */
export const openWalk = async (
  page: string,
  env: NodeJS.ProcessEnv,
  replaced: () => ReadonlyArray<readonly [string, string]>
): Promise<TutorialWalk> => {
  const text = await readFile(join(root, page), "utf8")
  const folder = await mkdtemp(join(tmpdir(), "tutorial-"))
  const running: Array<RunningProgram> = []
  const here = (code: string) => replaced().reduce((changed, [from, to]) => changed.replaceAll(from, to), code)

  const run = async (example: Example): Promise<void> => {
    const name = /^\/\/ ([\w-]+\.ts)\n/.exec(example.code)?.[1]
    if (name !== undefined) return writeFile(join(folder, name), here(example.code))
    if (!isRun(example) || isLasting(example)) return
    const commands = here(withoutSettingUp(example.code)).replaceAll(/^cd .*$/gm, "")
    const exported = [...commands.matchAll(/^export ([A-Z_]+)=/gm)].map(([, variable = ""]) => variable)
    const kept = exported.map((variable) => `printf %s "$${variable}" > exported-${variable}`)
    const output = await outputOf("sh", ["-e", "-c", [shellFunctions, commands, ...kept].join("\n")], folder, env)
    for (const variable of exported) env[variable] = await readFile(join(folder, `exported-${variable}`), "utf8")
    rememberIds(output, env)
    const isShown = example.answer === undefined || isAnsweredBy(example.answer, output)
    expect(isShown, `${page}:${example.line} answered:\n${generalized(output)}`).toBe(true)
  }

  return {
    folder,
    env,
    follow: async (section, from = 0, to) => {
      const found = examplesIn(sectionOf(text, section)).slice(from, to)
      expect(found.length, `the examples of section ${section} of ${page}`).toBeGreaterThan(0)
      for (const example of found) await run(example)
    },
    settingsOf: (section) =>
      Object.fromEntries(
        [...sectionOf(text, section).matchAll(/^export ([A-Z_]+)='?([^'…\n]+)'?$/gm)].map(([, name, value]) => [
          name,
          here(value ?? "")
        ])
      ),
    start: (...args) => {
      const program = startProgram(args, folder, env)
      running.push(program)
      return program
    },
    close: async () => {
      await Promise.all(running.map(({ stop }) => stop()))
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** From the heading that begins with these words, to the next one. */
const sectionOf = (text: string, section: string): string => {
  const [, after = ""] = text.split(new RegExp(`^## (?:${section}\\.|${section}$).*$`, "m"))
  return after.split(/^## /m)[0] ?? ""
}

/** Whether an example ends only when it is stopped. */
const isLasting = ({ answer, code }: Example): boolean =>
  commandsOf(code).some((command) => /^(node \w+\.ts|npx postcode serve|npm start)$/.test(command)) &&
  !(answer?.text.startsWith("{") ?? false)

const startProgram = (args: ReadonlyArray<string>, cwd: string, env: NodeJS.ProcessEnv): RunningProgram => {
  const child = spawn(process.execPath, [...args], { cwd, env: { ...env } })
  const changes = new EventEmitter().setMaxListeners(0)
  const exit = once(child, "exit")
  child.once("close", () => changes.emit("change"))
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
      changes.emit("change")
    })
  return {
    output: () => output,
    waitFor: async (pattern) => {
      for (;;) {
        const [found] = pattern.exec(output) ?? []
        if (found !== undefined) return found
        if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}:\n${output}`)
        await once(changes, "change")
      }
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGTERM")
      await exit
    }
  }
}
