import { Command } from "effect/cli"
import { lazily } from "../../Lazy.ts"
import { directory, json } from "../CommonFlags.ts"
import { latitude, longitude, radius } from "./Place.ts"

export const reverse = Command.make(
  "reverse",
  {
    lat: latitude,
    lon: longitude,
    radius_m: radius("Metres, 25 unless told, 250 at most"),
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
