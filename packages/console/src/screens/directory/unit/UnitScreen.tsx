import { type AttributeValue, attributeEntry, attributeNames } from "@postcode/core/UnitAttributes"
import { useSignal } from "@preact/signals"
import { useLoad, useWork } from "../../../hooks/useLoad.ts"
import { Badge } from "../../../kit/data/Badge.tsx"
import { Copyable } from "../../../kit/data/Copyable.tsx"
import { Facts } from "../../../kit/data/Facts.tsx"
import { openDialog } from "../../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../../kit/feedback/ProblemNotice.tsx"
import { WhenLoaded } from "../../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../../kit/forms/Button.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { findUnits } from "../findUnits.ts"
import { UnitMap, whereabouts } from "../map/UnitMap.tsx"
import { ChangeUnitDialog } from "./ChangeUnitDialog.tsx"
import { UnitHistory } from "./UnitHistory.tsx"
import { displayOf, type Unit, type UnitChangeKind, unitPath } from "./unit.ts"
import "../directory.css"

/** A unit of the directory, for operators: its state, its map, its history, and all that changes it. */
export const UnitScreen = ({ params }: { readonly params: { readonly postcode: string } }) => {
  const { postcode } = params
  const loaded = useLoad("GET /v1/admin/directory/units/:postcode", { params: { postcode } })
  const { data, problem, reload } = loaded
  const isUnknown = problem?.status === 404
  const unit = data?.unit ?? undefined
  const change = (kind: UnitChangeKind) =>
    openDialog(
      <ChangeUnitDialog kind={kind} postcode={data?.postcode ?? displayOf(postcode)} unit={unit} onDone={reload} />
    )
  return (
    <>
      <PageHeader title={displayOf(postcode)} lead="The data of this unit, and its changes.">
        <Actions unit={unit} isUnknown={isUnknown || data?.unit === null} onChange={change} />
      </PageHeader>
      {isUnknown ? (
        <Notice tone="info" title="The directory has no unit with this postcode">
          <p>Add it if it exists, or go back and search for another.</p>
        </Notice>
      ) : (
        <WhenLoaded loaded={loaded}>
          {({ history }) => (
            <>
              {unit === undefined && (
                <Notice tone="info" title="The current edition does not have this unit">
                  <p>An earlier edition had it. Its history is below.</p>
                </Notice>
              )}
              {unit && <UnitFacts unit={unit} />}
              {unit && <Surroundings key={JSON.stringify(unit)} postcode={params.postcode} unit={unit} />}
              <UnitHistory events={history} />
            </>
          )}
        </WhenLoaded>
      )}
    </>
  )
}

interface ActionsProps {
  readonly unit: Unit | undefined
  readonly isUnknown: boolean
  readonly onChange: (kind: UnitChangeKind) => void
}

const Actions = ({ isUnknown, onChange, unit }: ActionsProps) => {
  if (isUnknown) return <Button onClick={() => onChange("add")}>Add unit</Button>
  if (unit === undefined) return null
  return (
    <>
      <Button onClick={() => onChange("move")}>Move</Button>
      <Button onClick={() => onChange("set")}>Edit attributes</Button>
      {unit.status === "active" ? (
        <>
          <Button onClick={() => onChange("replace")}>Replace</Button>
          <Button kind="danger" onClick={() => onChange("retire")}>
            Retire
          </Button>
        </>
      ) : (
        <Button onClick={() => onChange("reactivate")}>Reactivate</Button>
      )}
    </>
  )
}

const UnitFacts = ({ unit }: { readonly unit: Unit }) => {
  const [lon, lat] = unit.point_geometry.coordinates
  const { attributes, replaced_by, status } = unit
  return (
    <Section title="Current state">
      <Facts
        facts={[
          [
            "Status",
            <Badge key="status" tone={status === "active" ? "good" : "warning"}>
              {status === "active" ? "Active" : "Retired"}
            </Badge>
          ],
          [
            "Successor",
            replaced_by && (
              <a key="successor" href={`#${unitPath(replaced_by)}`}>
                {replaced_by}
              </a>
            )
          ],
          ["Coordinate", <Copyable key="at" value={`${lat}, ${lon}`} label="latitude and longitude" />],
          ...attributeNames.map((name) => [attributeEntry(name).label, shown(attributes[name])] as const)
        ]}
      />
    </Section>
  )
}

const shown = (value: AttributeValue | undefined): string =>
  value === undefined ? "Unknown" : typeof value === "boolean" ? (value ? "Yes" : "No") : String(value)

interface SurroundingsProps {
  readonly postcode: string
  readonly unit: Unit
}

/** The active units around the unit. A retired unit is the centre of the map, and no point on it. */
const Surroundings = ({ postcode, unit }: SurroundingsProps) => {
  const [lon, lat] = unit.point_geometry.coordinates
  const place = { lat: String(lat), lon: String(lon), radius_m: "250", isNearestOnly: false }
  const { data, problem, reload } = useWork(`${lat} ${lon}`, (signal) => findUnits(place, signal))
  const selected = useSignal<string | undefined>(undefined)
  const chosen = data?.units.find((each) => each.postcode === (selected.value ?? data.units[0]?.postcode))
  return (
    <Section title="Map" lead="The unit is at the centre. The points are the nearest active units.">
      <ProblemNotice problem={problem} onRetry={reload} />
      {data && (
        <>
          <UnitMap found={data} selected={chosen?.postcode} onSelect={(other) => (selected.value = other)} />
          <p role="status">
            {chosen === undefined ? (
              "No active unit lies within 250 m."
            ) : unitPath(chosen.postcode) === unitPath(postcode) ? (
              `${chosen.display}: this unit`
            ) : (
              <>
                <a href={`#${unitPath(chosen.postcode)}`}>{chosen.display}</a>: {whereabouts(chosen)}
              </>
            )}
          </p>
        </>
      )}
    </Section>
  )
}
