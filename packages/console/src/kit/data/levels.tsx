/** The fields of each access level in words, from core's table. */
import { type AccessLevel, type Attribute, accessLevels, minimumLevel } from "@postcode/core/AccessLevel"
import type { Signal } from "@preact/signals"
import { ChoiceField } from "../forms/Field.tsx"

/** What a level adds to the previous one: `The coordinates`. */
export const addedAt = (level: AccessLevel): string => {
  const words = attributes.filter((attribute) => minimumLevel[attribute] === level).map((attribute) => names[attribute])
  const text = words.join("; ")
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

export interface LevelFieldProps {
  readonly label: string
  /** The highest selectable level. */
  readonly highest: AccessLevel
  /** The level, as text. */
  readonly value: Signal<string>
}

/** Selects a level; each is listed with what it adds. */
export const LevelField = ({ highest, label, value }: LevelFieldProps) => (
  <ChoiceField
    label={label}
    value={value}
    options={accessLevels
      .filter((level) => level <= highest)
      .map((level) => [String(level), `Level ${level}`, addedAt(level)])}
  />
)

const names: Readonly<Record<Attribute, string>> = {
  valid: "whether the postcode exists",
  administrative_address: "state, LGA, locality and zone",
  recent_house_address: "the recent house address",
  building_use_status: "what the building is used for",
  other_building_info: "the building’s type, owner and delivery point",
  point_geometry: "the coordinates"
}

const attributes = Object.keys(minimumLevel) as ReadonlyArray<Attribute>
