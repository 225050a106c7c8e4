import { Command } from "effect/cli"
import { booleanFlag, flag, textArgument, wholeNumber } from "../../Parameters.ts"
import { json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./writeDemoFiles.ts"))

export const demo = command(
  "demo",
  "Write a demonstration directory: real states and LGAs of Nigeria, invented units",
  {
    path: textArgument("PATH", "Folder for places.csv and units.csv; created if it does not exist"),
    units: flag("units", {
      read: wholeNumber(1, 40_000_000),
      metavar: "N",
      description: "How many units, up to 40 million; default: 250000",
      fallback: 250_000
    }),
    seed: flag("seed", {
      read: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      metavar: "S",
      description: "Seed of the generator: the same seed writes the same files; default: 1",
      fallback: 1
    }),
    force: booleanFlag("force", "Replace the files if they exist"),
    json
  },
  ({ writeDemoFiles }) => writeDemoFiles
).pipe(Command.withExamples([{ command: "postcode demo ./nigeria --units 1000000 --seed 7" }]))
