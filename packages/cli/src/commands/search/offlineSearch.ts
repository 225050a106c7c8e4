/** `postcode complete`, `reverse` and `nearby`. */
import { Command } from "effect/cli"
import { anyText, argument, decimal, optionalFlag } from "../../Parameters.ts"
import { directoryFlags, json, limit } from "../CommonFlags.ts"
import { commandsOf } from "../commandsOf.ts"

const command = commandsOf(() => import("./searchDirectory.ts"))

const place = {
  lat: argument("LAT", {
    read: decimal(-90, 90, "a latitude in degrees from -90 to 90"),
    description: "Latitude in degrees, WGS 84"
  }),
  lon: argument("LON", {
    read: decimal(-180, 180, "a longitude in degrees from -180 to 180"),
    description: "Longitude in degrees, WGS 84"
  })
}

/** Metres around the point; the maximum depends on the search. */
const radius = (description: string) =>
  optionalFlag("radius-m", {
    read: decimal(0, Number.MAX_VALUE, "a radius in metres, 0 or more"),
    metavar: "N",
    description
  })

export const complete = command(
  "complete",
  "Complete a partial postcode, or find a state or LGA by name, offline",
  {
    q: argument("Q", { read: anyText, description: "The start of a postcode, or a text with a state's or LGA's name" }),
    limit,
    ...directoryFlags,
    json
  },
  ({ completeText }) => completeText
).pipe(
  Command.withExamples([
    { command: "postcode complete LA1" },
    { command: 'postcode complete "12 Allen Avenue, Ikeja"' }
  ])
)

export const reverse = command(
  "reverse",
  "Find the nearest active unit to a point, offline",
  { ...place, radius_m: radius("Metres, default: 25, at most 250"), ...directoryFlags, json },
  ({ reverseGeocode }) => reverseGeocode
).pipe(Command.withExamples([{ command: "postcode reverse 6.5963 3.3436 --radius-m 100" }]))

export const nearby = command(
  "nearby",
  "List the active units around a point, nearest first, offline",
  { ...place, radius_m: radius("Metres, default: 300, at most 2000"), limit, ...directoryFlags, json },
  ({ listNearby }) => listNearby
).pipe(Command.withExamples([{ command: "postcode nearby 6.5963 3.3436 --limit 5" }]))
