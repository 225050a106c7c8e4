/**
 * The attributes of a unit besides code, status and location. They are charged, so they are not part of the directory
 * in memory. Unknown attributes are absent.
 */
export interface UnitAttributes {
  readonly locality_name?: string
  /** The most recent house address. */
  readonly recent_address?: string
  /** `residential`, `commercial`, … in the surveyor's terms. */
  readonly building_use_status?: string
  readonly building_type?: string
  readonly building_owner?: string
  /** Whether post is delivered to the unit itself. */
  readonly delivery_point?: boolean
}
