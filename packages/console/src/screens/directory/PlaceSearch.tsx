import { useSignal } from "@preact/signals"
import { usualExamples } from "../../client/examples.ts"
import { messageOn, type Problem } from "../../client/Problem.ts"
import { useWork } from "../../hooks/useLoad.ts"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { query, setQuery } from "../../router/address.ts"
import { ConfidenceBadge } from "./ConfidenceBadge.tsx"
import { type Found, findUnits, type PlaceQuery } from "./findUnits.ts"
import { UnitMap, whereabouts } from "./map/UnitMap.tsx"

/** The units around a point, or the nearest one. The address has the point. */
export const PlaceSearch = () => {
  const asked = readAsked()
  const key = asked && JSON.stringify(asked)
  const { data, isLoading, problem, reload } = useWork(key, (signal) => findUnits(asked as PlaceQuery, signal))
  return (
    <>
      <PlaceForm key={key} asked={asked} problem={problem} onAgain={reload} />
      {problem?.status !== 400 && <ProblemNotice problem={problem} onRetry={reload} />}
      {asked && data === undefined && isLoading && <Loading>Searching</Loading>}
      {asked && data && <FoundUnits key={key} asked={asked} found={data} />}
    </>
  )
}

const readAsked = (): PlaceQuery | undefined => {
  const [lat, lon] = [query.value.get("lat"), query.value.get("lon")]
  if (lat === null || lon === null) return undefined
  return {
    lat,
    lon,
    radius_m: query.value.get("radius") ?? radii[0],
    isNearestOnly: query.value.get("find") === "nearest"
  }
}

const radii = ["250", "25", "100", "500", "1000", "1500"] as const

interface PlaceFormProps {
  readonly asked: PlaceQuery | undefined
  readonly problem: Problem | undefined
  /** Repeats the search. */
  readonly onAgain: () => void
}

const PlaceForm = ({ asked, onAgain, problem }: PlaceFormProps) => {
  const lat = useSignal(asked?.lat ?? usualExamples.lat)
  const lon = useSignal(asked?.lon ?? usualExamples.lng)
  const radius = useSignal(asked?.radius_m ?? radii[0])
  const find = useSignal(asked?.isNearestOnly ? "nearest" : "")
  const search = async () => {
    // Maps copy both coordinates as one text: 6.5984, 3.3398.
    const [first = "", second = lon.value] = lat.value.split(/\s*[,;]\s*/)
    const before = query.value.toString()
    setQuery({ lat: first.trim(), lon: second.trim(), radius: radius.value, find: find.value })
    if (query.value.toString() === before) onAgain()
  }
  return (
    <Form onSubmit={search} submit="Search">
      <div class="filters">
        <TextField label="Latitude" value={lat} error={messageOn(problem, "lat")} isOptional />
        <TextField label="Longitude" value={lon} error={messageOn(problem, "lng")} isOptional />
        <SelectField
          label="Radius"
          value={radius}
          options={[...radii].sort((a, b) => Number(a) - Number(b)).map((each) => [each, `${each} m`])}
          isOptional
        />
        <SelectField
          label="Find"
          value={find}
          options={[
            ["", "20 nearest"],
            ["nearest", "Nearest unit"]
          ]}
          isOptional
        />
      </div>
    </Form>
  )
}

const FoundUnits = ({ asked, found }: { readonly asked: PlaceQuery; readonly found: Found }) => {
  const { radius_m, units } = found
  const selected = useSignal<string | undefined>(units[0]?.postcode)
  const select = (postcode: string) => {
    selected.value = postcode
  }
  const chosen = units.find(({ postcode }) => postcode === selected.value)
  const unplaced = units.filter(({ offset }) => offset === undefined).length
  return (
    <>
      {radius_m < Number(asked.radius_m) && <p class="muted">This search covers at most {radius_m} m.</p>}
      <div class="grid found">
        <div class="sighted">
          <UnitMap found={found} selected={selected.value} onSelect={select} />
          <p role="status">{chosen && `${chosen.display}: ${whereabouts(chosen)}`}</p>
          {unplaced > 0 && (
            <p class="muted">
              {unplaced === 1 ? "One is" : `${unplaced} are`} only in the list: there are too many units around to show
              them all.
            </p>
          )}
        </div>
        <Table
          caption="Units found, nearest first"
          rows={units}
          keyOf={({ postcode }) => postcode}
          empty={<p>No active unit lies within {radius_m} m. Try a larger radius, or another place.</p>}
          columns={[
            {
              head: "Postcode",
              cell: ({ display, postcode }) => (
                <Button kind="quiet" isPressed={postcode === selected.value} onClick={() => select(postcode)}>
                  {display}
                </Button>
              )
            },
            { head: "Where", cell: whereabouts },
            { head: "Confidence", cell: ({ confidence }) => <ConfidenceBadge status={confidence} /> }
          ]}
        />
      </div>
    </>
  )
}
