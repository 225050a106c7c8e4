// A form for each endpoint of the data: it shows the request as a command, sends it, and shows the answer.
import { get, make } from "./nodes.js"
import { ask } from "./requests.js"
import { gateway, settings } from "./settings.js"

/**
 * @typedef {object} Endpoint
 * @property {"GET" | "POST"} method
 * @property {string} path
 * @property {string} does
 * @property {Readonly<Record<string, string>>} [query] a value that works for each parameter
 * @property {unknown} [body]
 */

const { code, lat, lng } = settings.unit
const [state = "", lga = "", district = "", area = "", unit = ""] = code.split("-")

/** @type {ReadonlyArray<Endpoint>} */
const endpoints = [
  {
    method: "GET",
    path: "/v1/search/autocomplete",
    does: "complete a postcode or a name",
    query: { q: "Ikeja", limit: "5" }
  },
  {
    method: "GET",
    path: "/v1/search/address",
    does: "find an address",
    query: { q: settings.unit.address, limit: "3" }
  },
  { method: "GET", path: "/v1/search/reverse", does: "find the unit at a point", query: { lat, lng } },
  {
    method: "GET",
    path: "/v1/search/nearby",
    does: "list units around a point",
    query: { lat, lng, radius: "300", limit: "5" }
  },
  { method: "GET", path: "/v1/lookup", does: "look up a postcode", query: { code, level: "5" } },
  {
    method: "POST",
    path: "/v1/lookup/batch",
    does: "look up many postcodes",
    body: { level: 2, codes: [code] }
  },
  {
    method: "POST",
    path: "/v1/search/reverse/batch",
    does: "find the units at many points",
    body: { points: [{ lat: Number(lat), lng: Number(lng) }] }
  },
  {
    method: "POST",
    path: "/v1/search/address/batch",
    does: "find many addresses",
    body: { queries: [settings.unit.address], limit: 3 }
  },
  {
    method: "POST",
    path: "/v1/assembly/assemble",
    does: "join segments",
    body: { state, lga, district, area, unit }
  },
  { method: "GET", path: "/v1/assembly/disassemble", does: "split a postcode", query: { code } },
  { method: "GET", path: "/v1/reference/prices", does: "show the prices in credits" },
  { method: "GET", path: "/v1/reference/states", does: "list the states" },
  { method: "GET", path: "/v1/reference/lgas", does: "list local government areas", query: { state } },
  { method: "GET", path: "/v1/reference/districts", does: "list districts", query: { state, lga } },
  { method: "GET", path: "/v1/reference/areas", does: "list areas", query: { state, lga, district } }
]

const form = get("request", HTMLFormElement)
const select = get("endpoint", HTMLSelectElement)
const parameters = get("parameters", HTMLElement)
const status = get("answer-status", HTMLElement)
const answer = get("answer", HTMLElement)

const selected = () => /** @type {Endpoint} */ (endpoints[select.selectedIndex])

/** The request as it is filled in. */
const currentRequest = () => {
  const { body, method, path } = selected()
  const filled = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value]] : []
  )
  const text = String(new FormData(form).get("body") ?? "")
  const query = body === undefined ? new URLSearchParams(filled).toString() : ""
  return {
    method,
    url: `${gateway}${path}${query === "" ? "" : `?${query}`}`,
    body: body === undefined ? undefined : text
  }
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

const showCommand = () => {
  const { body, url } = currentRequest()
  const parts = [`curl ${quoted(url)}`, `-H ${quoted(`x-api-key: ${settings.test_key}`)}`]
  if (body !== undefined) parts.push("-H 'content-type: application/json'", `-d ${quoted(body)}`)
  get("curl", HTMLElement).textContent = parts.join(" \\\n  ")
}

const showForm = () => {
  const { body, query = {} } = selected()
  const fields = Object.entries(query).map(([name, value]) =>
    make("label", { class: "field" }, name, make("input", { name, value, spellcheck: "false", autocomplete: "off" }))
  )
  const text = make("textarea", { name: "body", rows: "5", spellcheck: "false" }, JSON.stringify(body, null, 2) ?? "")
  parameters.replaceChildren(...(body === undefined ? fields : [make("label", { class: "field whole" }, "Body", text)]))
  status.textContent = "Send the request to see the response."
  answer.textContent = ""
  showCommand()
}

/** @param {Response} response */
const creditsOf = ({ headers }) =>
  ["x-credits-charged", "x-credits-remaining", "x-lookup-level"].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })

let sent = 0

const send = async () => {
  const { body, method, url } = currentRequest()
  const number = ++sent
  /** @type {Record<string, string>} */
  const headers = { "x-api-key": settings.test_key }
  if (body !== undefined) headers["content-type"] = "application/json"
  const since = performance.now()
  try {
    const response = await ask(url, { method, headers, ...(body !== undefined && { body }) })
    const text = await response.text()
    if (number !== sent) return
    const time = `${Math.round(performance.now() - since)} ms`
    status.replaceChildren(
      make("b", { class: response.ok ? "good" : "bad" }, `${response.status}`),
      [` ${time}`, ...creditsOf(response)].join(" · ")
    )
    answer.textContent = text === "" ? "" : JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    if (number === sent)
      status.textContent = "No response from the service. Check that it runs, and send the request again."
  }
}

select.append(...endpoints.map(({ does, method, path }) => make("option", {}, `${method} ${path}: ${does}`)))
select.addEventListener("change", showForm)
form.addEventListener("input", showCommand)
form.addEventListener("submit", (event) => {
  event.preventDefault()
  void send()
})
showForm()
// One answer is there from the start. This search is free.
void send()
