import { useDebouncedText } from "../../hooks/useFieldText.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { queryField } from "../../router/queryField.ts"
import { appendSegment, type Segment } from "./appendSegment.ts"

const asked = queryField("q")

/** Completes a partial postcode segment by segment, or a name. */
export const CodeSearch = () => {
  const q = asked.value
  const typed = useDebouncedText(asked)
  const loaded = useLoad("GET /v1/search/autocomplete", { query: { q, limit: 100 } })
  const { data } = loaded
  return (
    <>
      <TextField
        label="Part of a postcode, or the start of a name"
        hint="Such as LA 11, or Ogun."
        type="search"
        value={typed}
        maxLength={100}
        isOptional
      />
      <WhenLoaded loaded={loaded} waiting="Searching" />
      <p class="muted" role="status">
        {data && said(data.segment, data.suggestions.length)}
      </p>
      <ul class="picks codes">
        {data?.suggestions.map(({ code, label }) => {
          const whole = appendSegment(q, data.segment, code)
          return (
            <li key={code}>
              {data.segment === "unit" ? (
                <Copyable value={whole} label={whole} />
              ) : (
                <button type="button" class="switch" onClick={() => (typed.value = whole)}>
                  <code>{whole}</code>
                  {label !== code && <span class="name">{label}</span>}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const said = (segment: Segment, count: number): string => {
  if (count === 0) return "No active unit continues this."
  const [one, many] = words[segment]
  return count === 100 ? `The first 100 ${many}:` : `${count} ${count === 1 ? one : many}:`
}

const words: Readonly<Record<Segment, readonly [string, string]>> = {
  state: ["state", "states"],
  lga: ["local government area", "local government areas"],
  district: ["district", "districts"],
  area: ["area", "areas"],
  unit: ["unit", "units"]
}
