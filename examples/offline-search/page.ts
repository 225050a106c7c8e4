/** The page's side of it: files and typing in, elements out. What is answered comes from `search.ts`. */
import type { AddressAnswer, AddressCandidate } from "@postcode/core/AddressSearch"
import type { Coordinate } from "@postcode/core/Coordinate"
import { Directory } from "@postcode/core/Directory"
import { type Answer, nearby, search, type Unit, type UnitNearby } from "./search.ts"

const byId = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E

const drop = byId("drop")
const file = byId<HTMLInputElement>("file")
const form = byId<HTMLFormElement>("form")
const here = byId<HTMLButtonElement>("here")
const text = byId<HTMLInputElement>("text")
const status = byId("status")
const answer = byId("answer")

let directory: Directory | undefined

const open = async (snapshot: File): Promise<void> => {
  say(`Opening ${snapshot.name} …`)
  const start_ms = performance.now()
  try {
    directory = Directory.open(await snapshot.arrayBuffer())
  } catch (error) {
    say(`${snapshot.name} was not opened: ${error instanceof Error ? error.message : error}`, "failed")
    return
  }
  const { activeSize, date, size, version } = directory
  const edition = [version, date].filter((known) => known !== "").join(", ") || "an edition without a name"
  const units = `${size.toLocaleString("en")} units, ${activeSize.toLocaleString("en")} of them active`
  const megabytes = (snapshot.size / 1e6).toFixed(1)
  const opened_ms = Math.max(1, Math.round(performance.now() - start_ms))
  const addresses = directory.addresses === undefined ? "without addresses" : "with addresses"
  say(`${edition}: ${units}, ${addresses}; ${megabytes} MB, opened in ${opened_ms} ms`)
  byId("search").hidden = false
  text.focus()
  show()
}

const show = (): void => {
  if (directory !== undefined) answer.replaceChildren(...elementsOf(search(directory, text.value)))
}

const elementsOf = (found: Answer): ReadonlyArray<HTMLElement> => {
  switch (found.kind) {
    case "postcode":
      return [card(found.unit)]
    case "point":
      if (found.units.length === 0) return [note(`No active unit lies within ${nearby.radius_m} m of this point.`)]
      return [note("Nearest units:"), list(found.units.map(rowOf))]
    case "completion":
      if (found.choices.length === 0) return [note("Nothing in the directory continues this.")]
      return [
        note(`Which ${found.segment === "lga" ? "LGA" : found.segment}?`),
        list(found.choices.map(({ code, name }) => [code, code, name ?? ""]))
      ]
    case "address":
      return addressElements(found.answer)
  }
}

const addressElements = (found: AddressAnswer): ReadonlyArray<HTMLElement> => {
  const { action, candidates, code, label, message, precision } = found
  const others = candidates.filter((candidate) => candidate.code !== code)
  const verdict = note(`${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith("?") ? "" : "."}`)
  verdict.className = action === "accept" ? "active" : "unknown"
  const article = document.createElement("article")
  if (code !== null) {
    const heading = document.createElement("h2")
    heading.textContent = code.replaceAll("-", " ")
    article.append(heading, note(label ?? ""))
  }
  article.append(verdict)
  if (code !== null) article.append(choice(code, code, precision === "unit" ? "Where is it?" : "What is in it?"))
  return others.length === 0 ? [article] : [article, note("Candidates:"), list(others.map(candidateRow))]
}

const candidateRow = ({ code, label, probability }: AddressCandidate): Row => [
  code,
  code,
  `${label} · ${Math.round(probability * 100)} %`
]

const rowOf = ({ display, distance_m, place, postcode }: UnitNearby): Row => [
  postcode,
  display,
  `${distance_m} m · ${place}`
]

const say = (message: string, kind = ""): void => {
  status.textContent = message
  status.className = kind
}

const note = (message: string): HTMLElement => {
  const paragraph = document.createElement("p")
  paragraph.textContent = message
  return paragraph
}

/** What is typed when the row is chosen, and what it says. */
type Row = readonly [typed: string, title: string, detail: string]

const list = (rows: ReadonlyArray<Row>): HTMLElement => {
  const items = rows.map(([typed, title, detail]) => {
    const item = document.createElement("li")
    item.append(choice(typed, title, detail))
    return item
  })
  const all = document.createElement("ul")
  all.append(...items)
  return all
}

const choice = (typed: string, title: string, detail: string): HTMLElement => {
  const button = document.createElement("button")
  const [strong, span] = [document.createElement("b"), document.createElement("span")]
  strong.textContent = title
  span.textContent = detail
  button.type = "button"
  button.append(strong, span)
  button.addEventListener("click", () => type(typed))
  return button
}

const card = ({ coordinate, display, place, status }: Unit): HTMLElement => {
  const article = document.createElement("article")
  const heading = document.createElement("h2")
  heading.textContent = display
  const verdict = note(verdicts[status])
  verdict.className = status
  article.append(heading, verdict, note(place))
  if (coordinate !== undefined) article.append(choice(pointText(coordinate), pointText(coordinate), "Nearby?"))
  return article
}

const verdicts = {
  active: "This unit exists and is active.",
  retired: "This unit existed, and is retired.",
  unknown: "Well formed, but there is no such unit."
}

const pointText = ({ lat, lon }: Coordinate): string => `${lat}, ${lon}`

const type = (value: string): void => {
  text.value = value
  show()
  text.focus()
}

const locate = (): void =>
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => type(pointText({ lat: coords.latitude, lon: coords.longitude })),
    ({ message }) => answer.replaceChildren(note(`The browser does not tell where you are. ${message}`)),
    { enableHighAccuracy: true }
  )

file.addEventListener("change", () => {
  const [chosen] = file.files ?? []
  if (chosen !== undefined) void open(chosen)
})
drop.addEventListener("dragover", (event) => {
  event.preventDefault()
  drop.classList.add("over")
})
drop.addEventListener("dragleave", () => drop.classList.remove("over"))
drop.addEventListener("drop", (event) => {
  event.preventDefault()
  drop.classList.remove("over")
  const [dropped] = event.dataTransfer?.files ?? []
  if (dropped !== undefined) void open(dropped)
})
text.addEventListener("input", show)
form.addEventListener("submit", (event) => event.preventDefault())
here.addEventListener("click", locate)
