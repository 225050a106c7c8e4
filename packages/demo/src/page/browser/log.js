// The record of requests and events, newest first.
import { get, make } from "./nodes.js"

const list = get("log", HTMLElement)
const longest = 50

/** @param {ReadonlyArray<Node | string>} parts */
export const note = (...parts) => {
  if (list.querySelector(".empty")) list.replaceChildren()
  list.prepend(make("li", {}, ...parts))
  while (list.childElementCount > longest) list.lastElementChild?.remove()
}

/** @param {string} name @param {unknown} detail */
export const noteEvent = (name, detail) => {
  const short = JSON.stringify(detail)
  note(make("b", {}, name), make("pre", {}, short.length < 60 ? short : JSON.stringify(detail, null, 2)))
}

/** With the data folded away. @param {string} title @param {unknown} data */
export const noteMessage = (title, data) =>
  note(make("details", {}, make("summary", {}, title), make("pre", {}, JSON.stringify(data, null, 2))))

export const emptyLog = () => list.replaceChildren(make("li", { class: "empty" }, "Nothing yet."))

// What scrolls has to be reached by keyboard.
list.tabIndex = 0
get("clear", HTMLButtonElement).addEventListener("click", emptyLog)
