// The nodes of the page: those that stand in it, and new ones.

/**
 * The node with an id.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 */
export const get = (id, type) => {
  const element = document.getElementById(id)
  if (element instanceof type) return element
  throw new Error(`the page has no #${id}`)
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Readonly<Record<string, string>>} attributes
 * @param {ReadonlyArray<Node | string>} children
 */
export const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}
