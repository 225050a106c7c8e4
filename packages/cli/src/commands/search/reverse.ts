import { Command } from "effect/cli"
import { directory, json } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"
import { latitude, longitude, radius } from "./Place.ts"

const command = commandsOf(() => import("./searchDirectory.ts"))

export const reverse = command(
  "reverse",
  "Find the nearest active unit to a point, offline",
  {
    lat: latitude,
    lon: longitude,
    radius_m: radius("Metres, default: 25, at most 250"),
    directory,
    json
  },
  ({ reverseGeocode }) => reverseGeocode
).pipe(Command.withExamples([{ command: "postcode reverse 6.5963 3.3436 --radius-m 100" }]))
