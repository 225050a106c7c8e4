/** The columns of `units.csv`, and their other names. */
import { attributeEntry, attributeNames } from "../../levels/UnitAttributes.ts"
import type { TableColumns } from "./columnNames.ts"

const attributeColumns = (kind: "required" | "optional") =>
  attributeNames.filter((name) => attributeEntry(name).column === kind)

/** The columns of `units.csv` that are written in any case. */
export const requiredUnitColumns = ["postcode", "lat", "lon", "status", ...attributeColumns("required")] as const
const optionalColumns = ["replaced_by", ...attributeColumns("optional")] as const

/** The name of a column of `units.csv`. */
export type UnitColumn = (typeof requiredUnitColumns)[number] | (typeof optionalColumns)[number]

/** The columns of `units.csv`. A file must have the first three; without a status all units are active. */
export const unitColumns: ReadonlyArray<UnitColumn> = [...requiredUnitColumns, ...optionalColumns]

export const unitTable: TableColumns = {
  names: unitColumns,
  required: ["postcode", "lat", "lon"],
  synonyms: {
    postcode: [
      ...["postalcode", "zipcode", "zip", "unitcode", "unitpostcode", "code", "postleitzahl", "plz", "codepostal"]
    ],
    lat: ["latitude", "gpslat", "gpslatitude", "geolat", "y", "ycoord", "pointy", "latwgs84", "breitengrad", "breite"],
    lon: [
      ...["lng", "long", "longitude", "gpslon", "gpslng", "gpslongitude", "geolon", "geolng", "x", "xcoord", "pointx"],
      ...["lonwgs84", "lngwgs84", "longwgs84", "längengrad", "laengengrad", "länge"]
    ],
    status: ["active", "isactive", "unitstatus"],
    locality_name: ["locality", "town", "settlement", "community", "ort", "localité"],
    recent_address: ["address", "houseaddress", "streetaddress", "street", "adresse", "straße"],
    building_use_status: ["buildinguse", "usestatus", "use"],
    building_owner: ["owner", "ownership"],
    delivery_point: ["isdeliverypoint"],
    replaced_by: ["successor", "replacedwith"]
  },
  joint: {
    names: ["lat", "lon"],
    synonyms: [
      ...["wkt", "geom", "geometry", "thegeom", "point", "coordinates", "coordinate", "coords", "latlng", "latlon"],
      ...["latlong", "gps", "gpscoordinates", "location", "wkbgeometry", "geog", "geography", "shape"]
    ]
  }
}
