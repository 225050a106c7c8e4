import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { directory, json, limit } from "../CommonFlags.ts"
import { latitude, longitude, radius } from "./Place.ts"

export const nearby = Command.make(
  "nearby",
  {
    lat: latitude,
    lon: longitude,
    radius_m: radius("Metres, default: 300, at most 2000"),
    limit,
    directory,
    json
  },
  (input) =>
    lazily(
      () => import("./searchDirectory.ts"),
      ({ listNearby }) => listNearby(input)
    )
).pipe(
  Command.withDescription("List the active units around a point, nearest first, offline"),
  Command.withExamples([{ command: "postcode nearby 6.5963 3.3436 --limit 5" }])
)
