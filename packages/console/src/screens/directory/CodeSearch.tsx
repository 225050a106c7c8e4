import { maxSearchText } from "@postcode/gateway/InputLimits"
import type { DataOf } from "../../client/Contract.ts"
import { useDebouncedText } from "../../hooks/useFieldText.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { queryField } from "../../router/queryField.ts"
import { may } from "../../state/permissions.ts"
import { displayOf, unitPath } from "./unit/unit.ts"

const asked = queryField("q")

/** Completes a partial postcode segment by segment, or finds states and LGAs by name. */
export const CodeSearch = () => {
  const q = asked.value
  const typed = useDebouncedText(asked)
  const loaded = useLoad("GET /v1/search/autocomplete", { query: { q, limit: 100 } })
  const { data } = loaded
  return (
    <>
      <TextField
        label="Postcode, part of one, or a place name"
        hint="Such as LA 11, or Ikeja, Lagos."
        type="search"
        value={typed}
        maxLength={maxSearchText}
        isOptional
      />
      <WhenLoaded loaded={loaded} waiting="Searching" />
      <p class="muted" role="status">
        {data && said(data.segment, data.suggestions.length)}
      </p>
      {data?.segment === "unit" && data.suggestions.length === 0 && isWhole(q) && (
        <>
          <RetiredUnit code={q} onPick={(successor) => (typed.value = successor)} />
          {may("getUnit") && data.did_you_mean === undefined && (
            <p>
              <UnitLink postcode={displayOf(q)} />
            </p>
          )}
        </>
      )}
      {data?.did_you_mean !== undefined && (
        <button type="button" class="switch" onClick={() => (typed.value = data.did_you_mean ?? "")}>
          Did you mean {data.did_you_mean}?
        </button>
      )}
      <ul class="picks codes">
        {data?.suggestions.map(({ code, label, prefix, within }) => (
          <li key={prefix}>
            {data.segment === "unit" ? (
              <FoundUnit postcode={prefix} />
            ) : (
              <button type="button" class="switch" onClick={() => (typed.value = prefix)}>
                <code>{prefix}</code>
                {label !== code && <span class="name">{within === undefined ? label : `${label}, ${within}`}</span>}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

const FoundUnit = ({ postcode }: { readonly postcode: string }) => (
  <>
    <Copyable value={postcode} label={postcode} />
    {may("getUnit") && <UnitLink postcode={postcode} />}
  </>
)

/** For operators. */
const UnitLink = ({ postcode }: { readonly postcode: string }) => (
  <a href={`#${unitPath(postcode)}`} aria-label={`Open ${postcode}`}>
    Open
  </a>
)

const isWhole = (text: string): boolean => text.replace(/[^a-z0-9]/gi, "").length === 11

interface RetiredUnitProps {
  readonly code: string
  readonly onPick: (successor: string) => void
}

/** Says if a unit that is not active is retired, and leads to its successor. */
const RetiredUnit = ({ code, onPick }: RetiredUnitProps) => {
  const { data } = useLoad("GET /v1/lookup", { query: { code } })
  if (data?.status !== "retired") return null
  const { postcode, replaced_by } = data
  return (
    <p role="status">
      {postcode} is retired.{" "}
      {replaced_by !== undefined && (
        <button type="button" class="switch" onClick={() => onPick(replaced_by)}>
          Show its successor, {replaced_by}
        </button>
      )}
    </p>
  )
}

type Segment = DataOf<"GET /v1/search/autocomplete">["segment"]

const said = (segment: Segment, count: number): string => {
  if (count === 0) return "No active unit matches this."
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
