/**
 * Cities that are wider than one local government area, or have the name of their state or of an LGA elsewhere: a table of
 * facts, used by autocomplete and address search.
 *
 * Towns with LGAs such as `Ibadan North` and `Ibadan South West` need no entry for these, because their names tell. The
 * LGAs are those that the articles "List of Nigerian cities by population" and of each city in the English Wikipedia name
 * as the city's own or as parts of its metropolis. A suburb also has schools or health facilities within 2 km of the city,
 * in the NMIS survey of 2010 to 2012: some of those in Jere and Olorunda are called after the city. Lagos itself has no entry: people call the whole
 * state so.
 */

export interface City {
  /** The name of the state. */
  readonly state: string
  /** All ways of writing the city. */
  readonly names: ReadonlyArray<string>
  /** LGAs that are the city. */
  readonly lgas: ReadonlyArray<string>
  /** LGAs of which a part is in the city. They may lie in another state: `Nasarawa: Karu`. */
  readonly suburbs: ReadonlyArray<string>
}

const city = (
  state: string,
  names: ReadonlyArray<string>,
  lgas: ReadonlyArray<string>,
  suburbs: ReadonlyArray<string> = []
): City => ({ state, names, lgas, suburbs })

export const cities: ReadonlyArray<City> = [
  city("Abia", ["Aba"], ["Aba North", "Aba South"], ["Osisioma", "Ugwunagbo", "Obi Ngwa"]),
  city("Adamawa", ["Yola"], ["Yola North", "Yola South"]),
  city("Anambra", ["Onitsha"], ["Onitsha North", "Onitsha South"], ["Idemili North", "Ogbaru"]),
  city("Borno", ["Maiduguri"], ["Maiduguri"], ["Jere"]),
  city("Cross River", ["Calabar"], ["Calabar Municipal", "Calabar South"]),
  city("Delta", ["Warri"], ["Warri South"], ["Uvwie", "Udu"]),
  city("Edo", ["Benin City", "Benin"], ["Oredo", "Egor", "Ikpoba-Okha"]),
  city("Ekiti", ["Ado"], ["Ado Ekiti"]),
  city("Enugu", ["Enugu"], ["Enugu East", "Enugu North", "Enugu South"]),
  city("Federal Capital Territory", ["Abuja"], [], ["Nasarawa: Karu"]),
  city("Kaduna", ["Kaduna"], ["Kaduna North", "Kaduna South"], ["Chikun", "Igabi"]),
  city(
    "Kano",
    ["Kano", "Kano City"],
    ["Kano Municipal", "Dala", "Fagge", "Gwale", "Nasarawa", "Tarauni"],
    ["Kumbotso", "Ungogo"]
  ),
  city("Kaduna", ["Zaria"], ["Zaria"], ["Sabon Gari"]),
  city("Lagos", ["Lekki"], ["Eti-Osa", "Ibeju-Lekki"]),
  city("Niger", ["Minna"], ["Chanchaga"], ["Bosso"]),
  city("Ogun", ["Abeokuta"], ["Abeokuta North", "Abeokuta South"], ["Obafemi Owode"]),
  city("Ondo", ["Ondo"], ["Ondo East", "Ondo West"]),
  city("Osun", ["Osogbo", "Oshogbo"], ["Osogbo"], ["Olorunda"]),
  city(
    "Oyo",
    ["Ibadan"],
    ["Ibadan North", "Ibadan North East", "Ibadan North West", "Ibadan South East", "Ibadan South West"],
    ["Akinyele", "Egbeda", "Ido", "Lagelu", "Oluyole", "Ona Ara"]
  ),
  city("Oyo", ["Oyo"], ["Atiba", "Oyo East", "Oyo West"]),
  city("Rivers", ["Port Harcourt", "PH", "P/Harcourt", "Port Harcourt City"], ["Port Harcourt"], ["Obio/Akpor"]),
  city("Sokoto", ["Sokoto"], ["Sokoto North", "Sokoto South"])
]
