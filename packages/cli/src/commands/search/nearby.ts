import { Command } from "effect/cli"
import { directory, json, limit } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { latitude, longitude, radius } from "./Place.ts"

const command = commandsOf(() => import("./searchDirectory.ts"))

export const nearby = command(
  "nearby",
  "List the active units around a point, nearest first, offline",
  {
    lat: latitude,
    lon: longitude,
    radius_m: radius("Metres, default: 300, at most 2000"),
    limit,
    directory,
    json
  },
  ({ listNearby }) => listNearby
).pipe(Command.withExamples([{ command: "postcode nearby 6.5963 3.3436 --limit 5" }]))
