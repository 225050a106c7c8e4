/** The address of a MapLibre style, which widgets show under their maps. */

/** For messages: `expected …`. */
export const mapStyleForm =
  "the http or https address of a MapLibre style, such as https://tiles.example/{scheme}.json, or a path of the gateway"

/** Whether a text is one. It contains no user and password, because browsers get it. */
export const isMapStyle = (text: string): boolean =>
  typeof text === "string" && text.length <= 2_000 && (addressPattern.test(text) || pathPattern.test(text))

const addressPattern = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?][\x21-\x7e]*)?$/i
/** Two slashes would begin the name of a host. */
const pathPattern = /^\/(?![/\\])[\x21-\x7e]*$/
