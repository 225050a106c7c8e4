/**
 * Well-known localities and streets of the larger cities, with the local government area (LGA) in which they lie: a
 * table of facts from general knowledge. Only the LGA is meant. Where in it a locality lies is invented, like its houses.
 */

/** A locality, and its well-known streets. */
export interface KnownLocality {
  readonly name: string
  readonly streets: ReadonlyArray<string>
}

let parsed: ReadonlyMap<string, ReadonlyArray<KnownLocality>> | undefined

/** The well-known localities of an LGA, such as `LA-11`, the most central one first. Parsed at the first call. */
export const knownLocalities = (lga: string): ReadonlyArray<KnownLocality> => {
  parsed ??= new Map(table.trim().split("\n").map(parseLine))
  return parsed.get(lga) ?? none
}

const none: ReadonlyArray<KnownLocality> = []

const parseLine = (line: string): [string, ReadonlyArray<KnownLocality>] => [
  line.slice(0, 5),
  line
    .slice(6)
    .split("; ")
    .map((part) => {
      const [name = "", streets] = part.split(": ")
      return { name, streets: streets?.split(", ") ?? [] }
    })
]

/* A line an LGA: its code, then its localities. A colon leads to the streets of a locality. */
const table = `
AB-01 Eziama; Ogbor Hill; Umuola
AB-02 Aba: Asa Road, Aba-Owerri Road, Azikiwe Road, Faulks Road, Ngwa Road, Pound Road, Cameroun Road, Jubilee Road
AB-16 Umuahia: Bende Road, Bank Road, Library Avenue, Aba Road; Afara
AD-20 Jimeta; Doubeli; Karewa; Luggere
AD-21 Yola
AK-03 Eket
AK-31 Uyo: Oron Road, Aka Road, Ikot Ekpene Road, Abak Road, Wellington Bassey Way; Ewet Housing Estate; Shelter Afrique
AN-06 Awka: Zik Avenue; Amawbia; Nibo; Umuokpu
AN-14 Otolo; Uruagu; Umudim; Nnewichi
AN-17 Onitsha: New Market Road, Old Market Road, Oguta Road, Awka Road; Inland Town; GRA
AN-18 Fegge; Odoakpu; Woliwo
BA-02 Bauchi; Wunti; Yelwa; Gwallaga; GRA
BE-13 High Level; Wurukum; Wadata; North Bank; Low Level; Ankpa Ward
BO-21 Maiduguri; Gwange; Bolori; Bulumkutu; Wulari; Hausari; Shehuri
BY-08 Yenagoa; Amarata; Opolo; Kpansia; Ekeki; Swali; Ovom
CR-08 Calabar: Marian Road, Murtala Mohammed Highway, Calabar Road; Ikot Ansa; Big Qua Town; Ekorinim; Satellite Town
CR-09 Anantigha: Mayne Avenue
DE-15 Asaba: Nnebisi Road, Okpanam Road; Cable Point
DE-17 Sapele
DE-22 Effurun: Refinery Road, PTI Road; Ekpan; Enerhen
DE-24 Warri; Okere; Pessu
EB-01 Abakaliki: Ogoja Road, Water Works Road, Afikpo Road; Kpirikpiri
ED-02 Uselu; Ugbowo; Egor
ED-11 Upper Sakponba; Aduwawa
ED-12 Benin City: Akpakpava Road, Sapele Road, Mission Road, Airport Road, Ekenwan Road, Sakponba Road; GRA; New Benin
EK-01 Ado Ekiti; Okesa; Ajilosun; Basiri; Adebayo
EN-03 Abakpa; Emene; Trans-Ekulu; Nike
EN-04 Ogui: Ogui Road, Zik Avenue; Asata; GRA; Independence Layout; Coal Camp; New Haven
EN-05 Uwani; Achara Layout; Idaw River; Amechi
EN-13 Nsukka
FC-02 Garki: Tafawa Balewa Way, Festival Road; Wuse: Herbert Macaulay Way, Sultan Abubakar Way, Michael Okpara Street, \
Accra Street, Nairobi Street; Maitama: Aguiyi Ironsi Street, Mississippi Street, Gana Street, Yedseram Street; \
Wuse II: Aminu Kano Crescent, Adetokunbo Ademola Crescent; Asokoro: Yakubu Gowon Crescent, T. Y. Danjuma Street; \
Central Area: Constitution Avenue, Independence Avenue; Gwarinpa; Utako; Jabi: Obafemi Awolowo Way; Nyanya; Lugbe; \
Kado; Apo; Durumi; Mabushi; Gudu; Wuye; Jikwoyi; Karu; Galadimawa; Lokogoma; Life Camp
FC-03 Bwari; Kubwa; Dutse; Mpape
FC-04 Gwagwalada
GO-06 Gombe; Pantami; Jekadafari; Tudun Wada; Bolari
IM-25 Owerri: Douglas Road, Wetheral Road, Tetlow Road, Okigwe Road; Ikenegbu; Aladinma; New Owerri; World Bank
JI-06 Dutse
KD-02 Sabon Tasha; Narayi
KD-09 Kaduna: Ahmadu Bello Way; Ungwan Rimi; Kawo; Malali; Ungwan Sarki; Doka; Ungwan Dosa; Badarawa
KD-10 Tudun Wada; Barnawa; Kakuri; Makera; Television
KD-19 Sabon Gari; Samaru
KD-23 Zaria City; Tudun Wada; Wusasa
KE-06 Birnin Kebbi
KN-07 Dala; Gwammaja; Kofar Ruwa
KN-12 Sabon Gari: Sarkin Yaki Road, Ibrahim Taiwo Road, Murtala Mohammed Way; Fagge
KN-18 Gwale; Dorayi; Kabuga
KN-21 Kano City; Kofar Mata; Sharada; Yakasai; Zango
KN-25 Kumbotso; Sheka; Panshekara; Challawa
KN-31 Bompai; Nassarawa GRA; Hotoro; Gama
KN-38 Tarauni; Unguwa Uku; Gyadi-Gyadi
KN-42 Ungogo; Rijiyar Zaki; Bachirawa
KO-12 Lokoja; Lokongoma; Adankolo; Felele
KT-21 Katsina; Kofar Kaura; Kofar Marusa; Kofar Sauri; GRA
KW-07 Tanke; Fate
KW-08 Ilorin: Ibrahim Taiwo Road, Unity Road; Adewole; Oloje; Baboko
LA-01 Agege; Dopemu; Orile Agege
LA-02 Ajegunle: Boundary Road, Ojo Road; Amukoko
LA-03 Ikotun; Egbeda; Ipaja; Idimu; Igando; Iyana Ipaja; Akowonjo: Akowonjo Road; Ayobo; Gowon Estate
LA-04 Festac Town: Second Avenue, Fourth Avenue; Satellite Town; Mile 2; Kirikiri
LA-05 Apapa: Wharf Road, Creek Road, Liverpool Road, Commercial Road, Warehouse Road, Burma Road, Marine Road; Ijora
LA-06 Badagry
LA-07 Epe
LA-08 Victoria Island: Adeola Odeku Street, Ahmadu Bello Way, Akin Adesola Street, Adetokunbo Ademola Street, \
Ajose Adeogun Street, Sanusi Fafunwa Street, Idowu Taylor Street, Saka Tinubu Street, Kofo Abayomi Street; \
Ikoyi: Awolowo Road, Bourdillon Road, Kingsway Road, Glover Road, Gerrard Road, Raymond Njoku Street; \
Lekki Phase 1: Admiralty Way, Fola Osibo Road; Obalende; Ajah; Osborne Foreshore Estate; Oniru; Lekki; Sangotedo; Badore
LA-10 Ifako; Iju; Ijaiye; Fagba; Oke-Ira; Obawole
LA-11 Ikeja: Allen Avenue, Obafemi Awolowo Way, Toyin Street, Oba Akran Avenue, Adeniyi Jones Avenue; Opebi: Opebi Road; \
Oregun: Kudirat Abiola Way; Alausa; Ikeja GRA: Isaac John Street, Oba Akinjobi Way, Joel Ogunnaike Street, \
Sobo Arobiodu Street; Ogba; Maryland: Mobolaji Bank Anthony Way; Agidingbi; Onigbongbo; Omole Phase 1; Ojodu
LA-12 Ikorodu; Igbogbo; Ijede; Owutu; Odogunyan; Imota; Isawo
LA-13 Ketu; Ojota; Ogudu; Mile 12; Magodo; Alapere; Oworonshoki; Anthony Village; Ikosi
LA-14 Lagos Island: Broad Street, Kakawa Street, Nnamdi Azikiwe Street, Balogun Street, Martins Street, Campbell Street, \
Igbosere Road, Bamgbose Street; Isale Eko; Idumota; Onikan; Epetedo
LA-15 Yaba: Herbert Macaulay Way, Commercial Avenue, Tejuosho Street, Murtala Muhammed Way; Ebute Metta: Apapa Road; \
Makoko; Oyingbo; Iwaya
LA-16 Mushin: Agege Motor Road, Ladipo Street; Ilupeju: Town Planning Way, Coker Road; Papa Ajao; Idi-Araba; Idi-Oro
LA-17 Ojo; Okokomaiko; Alaba; Iba; Ijanikin; Ajangbadi
LA-18 Oshodi; Isolo; Okota: Ago Palace Way; Ejigbo; Mafoluku; Ajao Estate; Ilasamaja
LA-19 Shomolu; Bariga; Akoka; Onipanu
LA-20 Surulere: Adeniran Ogunsanya Street, Bode Thomas Street, Adelabu Street, Ogunlana Drive, Masha Road, Akerele Road, \
Eric Moore Road, Randle Avenue, Itire Road; Aguda; Ijeshatedo; Itire; Iponri; Lawanson; Ojuelegba; Coker
NA-04 Mararaba; Karu; Masaka; Ado
NA-08 Lafia; Shabu; Bukan Sidi
NI-06 Minna; Tunga; Kpakungu; Sabon Gari
NI-23 Suleja; Maje; Kwamba
OG-01 Lafenwa; Iberekodo
OG-02 Abeokuta; Ibara; Oke-Ilewo; Kuto; Ake; Itoku; Ijemo
OG-03 Ota; Sango; Agbara; Ijoko
OG-09 Ijebu Ode
ON-06 Akure: Oba Adesida Road, Oyemekun Road, Arakale Road; Alagbaka; Ijapo Estate; Oke-Aro
ON-16 Ondo
OS-11 Ile-Ife; Lagere; Iremo; Parakin
OS-30 Osogbo: Station Road; Oke-Fia
OY-02 Moniya; Ojoo
OY-05 Egbeda; Alakia
OY-06 Bodija: Awolowo Avenue, Osuntokun Avenue; Mokola; Agodi; Sango; Agbowo; Samonda; Ikolaba; Yemetu
OY-07 Iwo Road; Oje; Agugu
OY-08 Dugbe; Jericho; Eleyele; Onireke
OY-09 Molete; Mapo; Oja'ba
OY-10 Ring Road; Oke Ado; Oluyole Estate; Iyaganku; Apata
OY-21 Ogbomosho
PL-05 Jos: Ahmadu Bello Way, Bauchi Road, Zaria Road, Murtala Mohammed Way, Tafawa Balewa Street; Angwan Rogo; \
Farin Gada; Tudun Wada; Jenta
PL-06 Bukuru; Rayfield; Vom; Gyel
RI-15 Rumuola; Rumuokwuta; Rumuomasi; Rumuigbo; Rumuokoro; Woji; Choba; Rumuodara; Rukpokwu; Eliozu; Elelenwo
RI-22 Port Harcourt: Aggrey Road, Azikiwe Road, Station Road, Moscow Road; D-Line; Diobu: Ikwerre Road; \
Old GRA: Forces Avenue; New GRA: Tombia Street, Olu Obasanjo Road; Trans-Amadi; Borokiri; Elekahia
SO-16 Sokoto
SO-17 Mabera; Runjin Sambo
TA-07 Jalingo; Sabon Gari; Turaki
YO-03 Damaturu
YO-14 Potiskum
ZA-07 Gusau; Sabon Gari; Tudun Wada
`
