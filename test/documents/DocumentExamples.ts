/**
 * What documents show is run, and its answers compared: shell examples by sh and curl against a started service,
 * TypeScript examples by node. With UPDATE_DOCS=1 the answers that have changed are written into the files.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.mjs"
import { type Example, examplesIn, generalized, isAnsweredBy, withAnswers } from "../markdown/MarkdownExamples.ts"
import { markdownFiles } from "../markdown/MarkdownFiles.ts"
import { commandsOf, isRun, isSettingUp } from "../markdown/ShellCommands.ts"
import { type ExampleSession, openExampleSession } from "./ExampleSession.ts"

const updates = process.env.UPDATE_DOCS === "1"
const read = (file: string): string => readFileSync(join(root, file), "utf8")

/** Registers the tests of those documents that are wanted, in one session. */
export const testDocuments = (isWanted: (file: string) => boolean): void => {
  const documents = markdownFiles.filter((file) => isWanted(file) && examplesIn(read(file)).length > 0)
  let session: ExampleSession
  beforeAll(async () => {
    session = await openExampleSession()
  })
  afterAll(() => session.close())

  describe.for(documents)("%s", (file) => testDocument(file, () => session))
}

const testDocument = (file: string, session: () => ExampleSession): void => {
  const examples = examplesIn(read(file))
  const outputs = new Map<Example, string>()
  // Pages that are made from code get their answers from there.
  const writes = updates && !file.startsWith("docs/reference/")

  afterAll(() => {
    if (writes) writeFileSync(join(root, file), withAnswers(read(file), outputs))
  })

  it.for(examples.filter(isRun).map((example) => [nameOf(example), example] as const))("%s", async ([, example]) => {
    const output = await session().run(example, file)
    if (example.answer === undefined) return
    if (!writes) expect(isAnsweredBy(example.answer, output), `it answered:\n${generalized(output)}`).toBe(true)
    else if (example.answer.language === "json" || !isAnswered(example, output)) outputs.set(example, output)
  })

  it("shows only commands that are run here, except those of the setup", () => {
    const others = examples.filter((example) => !isRun(example)).flatMap(({ code }) => commandsOf(code))
    expect(others.filter((command) => !isSettingUp(command))).toEqual([])
  })
}

const nameOf = ({ code, language, line }: Example): string =>
  `line ${line}: ${language === "ts" ? "the program" : (commandsOf(code)[0] ?? "").slice(0, 80)}`

const isAnswered = ({ answer }: Example, output: string): boolean => {
  try {
    return answer === undefined || isAnsweredBy(answer, output)
  } catch {
    return false
  }
}
