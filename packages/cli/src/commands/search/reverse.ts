import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { directory, json } from "../CommonFlags.ts"
import { latitude, longitude, radius } from "./Place.ts"

export const reverse = Command.make(
  "reverse",
  {
    lat: latitude,
    lon: longitude,
    radius_m: radius("Metres, default: 25, at most 250"),
    directory,
    json
  },
  (input) =>
    lazily(
      () => import("./searchDirectory.ts"),
      ({ reverseGeocode }) => reverseGeocode(input)
    )
).pipe(
  Command.withDescription("Find the nearest active unit to a point, offline"),
  Command.withExamples([{ command: "postcode reverse 6.5963 3.3436 --radius-m 100" }])
)
