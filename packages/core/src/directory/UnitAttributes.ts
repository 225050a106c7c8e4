/**
 * What is known of a unit beyond its code, status and place. Looked up for credits, so it is no part of the directory in
 * memory. What is not known is absent.
 */
export interface UnitAttributes {
  readonly locality_name?: string
  /** The most recent house address. */
  readonly recent_address?: string
  /** `residential`, `commercial`, … in the words of whoever surveyed it. */
  readonly building_use_status?: string
  readonly building_type?: string
  readonly building_owner?: string
  /** Whether post is delivered to the unit itself. */
  readonly delivery_point?: boolean
}
