import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { argument, booleanFlag, flag, text, wholeNumber } from "../../Parameters.ts"
import { json } from "../CommonFlags.ts"

export const demo = Command.make(
  "demo",
  {
    path: argument("PATH", { read: text, description: "Folder for places.csv and units.csv; made if it is not there" }),
    units: flag("units", {
      read: wholeNumber(1, 40_000_000),
      metavar: "N",
      description: "How many units, up to 40 million; default: 250000",
      fallback: 250_000
    }),
    seed: flag("seed", {
      read: wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      metavar: "S",
      description: "Which one of the many of that size: the same seed, the same files; default: 1",
      fallback: 1
    }),
    force: booleanFlag("force", "Replace the files if they are there"),
    json
  },
  (input) =>
    lazily(
      () => import("./writeDemoFiles.ts"),
      ({ writeDemoFiles }) => writeDemoFiles(input)
    )
).pipe(
  Command.withDescription("Write a demonstration directory: real states and LGAs of Nigeria, invented units"),
  Command.withExamples([{ command: "postcode demo ./nigeria --units 1000000 --seed 7" }])
)
