/** The help of every command, as the command itself has it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { postcode } from "../src/PostcodeCommand.ts"

export interface Help {
  /** What is typed behind `postcode`. */
  readonly path: ReadonlyArray<string>
  readonly doc: HelpDoc.HelpDoc
}

/** The help of the whole command and of every command below it, in the order in which they are listed. */
export const commandHelp = (): Promise<ReadonlyArray<Help>> => helpBelow([])

const helpBelow = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<Help>> => {
  const doc = await helpOf(path)
  const names = (doc.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
  const below: Array<Help> = []
  for (const name of names) below.push(...(await helpBelow([...path, name])))
  return [{ path, doc }, ...below]
}

const helpOf = (path: ReadonlyArray<string>): Promise<HelpDoc.HelpDoc> =>
  new Promise((resolve, reject) => {
    const presenter: CliOutput.Presenter = {
      present: (event) => Effect.sync(() => event._tag === "Help" && resolve(event.helpDoc))
    }
    Command.runWith(postcode, { version: "" })([...path, "--help"])
      .pipe(Effect.provide(Layer.merge(NodeServices.layer, CliOutput.layerPresenter(presenter))), Effect.runPromise)
      .then(() => reject(new Error(`postcode ${path.join(" ")} has no help`)), reject)
  })
