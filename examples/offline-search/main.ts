/**
 * Answers from a snapshot, without a server: whether postcodes exist, what continues a partial one or a name, and which
 * units are near a point.
 */
import { readFile } from "node:fs/promises"
import { Directory } from "@postcode/core/Directory"
import { type Answer, nearby, search } from "./search.ts"

const answerLines = (answer: Answer): ReadonlyArray<string> => {
  switch (answer.kind) {
    case "postcode": {
      const { place, postcode, status } = answer.unit
      return [`${postcode} is ${status === "unknown" ? "no unit of this directory" : `${status}, ${place}`}`]
    }
    case "point":
      if (answer.units.length === 0) return [`no active unit lies within ${nearby.radius_m} m`]
      return answer.units.map(
        ({ confidence, distance_m, place, postcode }) => `${postcode}  ${distance_m} m  ${confidence}  ${place}`
      )
    case "completion":
      if (answer.choices.length === 0) return ["nothing in the directory continues this"]
      return answer.choices.map(({ code, name }) => (name === undefined ? code : `${code}  ${name}`))
    case "address": {
      const { candidates, code, confidence, label, message } = answer.answer
      const others = candidates.filter((candidate) => candidate.code !== code)
      return [
        code === null ? message : `${code}  ${confidence}  ${label}: ${message}`,
        ...others.map(({ code, label }) => `perhaps ${code}  ${label}`)
      ]
    }
  }
}

const [file, ...texts] = process.argv.slice(2)
if (file === undefined || texts.length === 0) {
  console.error("usage: npm start -- SNAPSHOT TEXT…   where TEXT is a postcode, a part of one, a name, or LAT,LON")
  process.exitCode = 2
} else {
  const directory = Directory.open(await readFile(file))
  for (const text of texts) {
    console.log(`${text}:`)
    for (const line of answerLines(search(directory, text))) console.log(`  ${line}`)
  }
}
