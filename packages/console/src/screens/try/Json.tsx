/** Highlights JSON with elements. Other text is shown unchanged. */
export const Json = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <section class="json" tabIndex={0} aria-label="Response body">
    <pre>
      {piecesOf(spaced(text)).map(([kind, piece], i) =>
        kind === undefined ? (
          piece
        ) : (
          <span key={i} class={kind}>
            {piece}
          </span>
        )
      )}
    </pre>
  </section>
)

type Kind = "name" | "number" | "text" | "word"

const piecesOf = (text: string): ReadonlyArray<readonly [Kind | undefined, string]> => {
  const pieces: Array<readonly [Kind | undefined, string]> = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const [piece] = found
    pieces.push([undefined, text.slice(end, found.index)], [kindOf(found.groups), piece])
    end = found.index + piece.length
  }
  return [...pieces, [undefined, text.slice(end)]]
}

const kindOf = ({ name, text, word }: RegExpMatchArray["groups"] = {}): Kind =>
  (name && "name") || (text && "text") || (word && "word") || "number"

const pattern =
  /(?<name>"(?:\\.|[^"\\])*"(?=:))|(?<text>"(?:\\.|[^"\\])*")|(?<word>\b(?:true|false|null)\b)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const spaced = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
