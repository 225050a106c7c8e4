/**
 * The states and local government areas of Nigeria, as a table of facts.
 *
 * 36 states and the Federal Capital Territory with their ISO 3166-2:NG codes, geopolitical zones and capitals, and the
 * 774 local government areas (LGAs) with a representative point each. LGA codes count the LGAs of a state in
 * alphabetical order; they are not an official numbering. The kinds of LGAs are a judgement from general knowledge, not
 * a census: the largest cities, then other state capitals and large cities, then towns.
 *
 * Attribution. Names and codes are facts. The points come from two sources: the common operational datasets of the
 * Office of the Surveyor General of the Federation (OSGOF) and OCHA Nigeria, licensed CC BY 3.0 IGO
 * (https://creativecommons.org/licenses/by/3.0/igo/), and GeoNames (https://www.geonames.org/), licensed CC BY 4.0
 * (https://creativecommons.org/licenses/by/4.0/). One point for each LGA and
 * capital is kept, to five decimals.
 */

import type { Place } from "@postcode/core/Directory"
import type { PartialPostcode } from "@postcode/core/Postcode"

/** A state, or the Federal Capital Territory. Coordinates are those of its capital, WGS 84 degrees. */
export interface State {
  readonly code: string
  readonly name: string
  readonly zone: string
  readonly capital: string
  /** Code of the LGA in which the capital lies, `01` … */
  readonly seat_lga: string
  readonly lat: number
  readonly lon: number
  readonly lgas: ReadonlyArray<Lga>
}

/** The density of an LGA. `metropolis` and `city` are dense and grow outwards from the centre. */
export type LgaKind = "metropolis" | "city" | "town" | "countryside"

/** A local government area. Coordinates are those of a representative point in it, WGS 84 degrees. */
export interface Lga {
  readonly code: string
  readonly name: string
  readonly kind: LgaKind
  readonly lat: number
  readonly lon: number
}

let parsed: ReadonlyArray<State> | undefined

/** The 37 states in code order, each with its LGAs in code order. Parsed at the first call, then kept. */
export const nigeriaStates = (): ReadonlyArray<State> => {
  parsed ??= parseTable(places)
  return parsed
}

/** The states with their zones, and the LGAs, as a directory takes them: `LA`, `LA-01`, … in code order. */
export const nigeriaPlaces = (): ReadonlyArray<Place> =>
  nigeriaStates().flatMap((state) => [
    { code: state.code as PartialPostcode, name: state.name, zone: state.zone },
    ...state.lgas.map((lga) => ({ code: `${state.code}-${lga.code}` as PartialPostcode, name: lga.name }))
  ])

const parseTable = (table: string): ReadonlyArray<State> =>
  table
    .trim()
    .split("\n\n")
    .map((paragraph) => {
      const [head = "", ...lines] = paragraph.split("\n")
      const [code = "", name = "", zone = "", capital = "", seat_lga = "", lat, lon] = head.split(",")
      return { code, name, zone, capital, seat_lga, lat: Number(lat), lon: Number(lon), lgas: lines.map(parseLga) }
    })

const parseLga = (line: string): Lga => {
  const [code = "", name = "", lat, lon, kind = "countryside"] = line.split(",")
  return { code, name, kind: kind as LgaKind, lat: Number(lat), lon: Number(lon) }
}

/*
 * A paragraph a state. First line: state code, name, zone, capital, LGA of the capital, latitude and longitude of the
 * capital. Then a line an LGA: code, name, latitude and longitude of its point, and its kind unless it is countryside.
 */
const places = `AB,Abia,South East,Umuahia,16,5.52491,7.49461
01,Aba North,5.10828,7.34210,metropolis
02,Aba South,5.08322,7.35213,metropolis
03,Arochukwu,5.51852,7.86940
04,Bende,5.66451,7.60801
05,Ikwuano,5.40639,7.58431
06,Isiala Ngwa North,5.39117,7.42035
07,Isiala Ngwa South,5.28984,7.39897
08,Isuikwuato,5.79910,7.46909
09,Obi Ngwa,5.14595,7.46661
10,Ohafia,5.66721,7.80195
11,Osisioma,5.18091,7.32276,city
12,Ugwunagbo,5.01912,7.35085
13,Ukwa East,4.93033,7.41814
14,Ukwa West,4.94662,7.24758
15,Umu Nneochi,5.96447,7.40705
16,Umuahia North,5.58605,7.48788,city
17,Umuahia South,5.49332,7.45296,town

AD,Adamawa,North East,Yola,21,9.20839,12.48146
01,Demsa,9.39825,12.02467
02,Fufore,9.20293,12.64169
03,Ganye,8.42934,12.00813
04,Girei,9.45160,12.47917
05,Gombi,10.18574,12.49333
06,Guyuk,9.83902,11.90768
07,Hong,10.29902,12.93316
08,Jada,8.70190,12.33619
09,Lamurde,9.55777,11.70614
10,Madagali,10.81124,13.50232
11,Maiha,9.85698,13.16411
12,Mayo Belwa,8.99192,11.96742
13,Michika,10.57477,13.40455
14,Mubi North,10.36273,13.35945,town
15,Mubi South,10.18173,13.30435,town
16,Numan,9.44213,11.81966
17,Shelleng,9.86544,12.09977
18,Song,9.82311,12.61975
19,Toungo,7.96895,11.82380
20,Yola North,9.25711,12.43988,city
21,Yola South,9.26037,12.33661,city

AK,Akwa Ibom,South South,Uyo,31,5.05127,7.93350
01,Abak,5.02206,7.77154
02,Eastern Obolo,4.51842,7.69384
03,Eket,4.63700,7.94760,town
04,Esit Eket,4.63974,8.07503
05,Essien Udim,5.10805,7.64792
06,Etim Ekpo,4.96984,7.61301
07,Etinan,4.81541,7.84446
08,Ibeno,4.56181,8.07096
09,Ibesikpo Asutan,4.91474,7.95549
10,Ibiono Ibom,5.20711,7.88476
11,Ika,5.01008,7.53640
12,Ikono,5.21155,7.78343
13,Ikot Abasi,4.60684,7.62004
14,Ikot Ekpene,5.19452,7.70398,town
15,Ini,5.39406,7.74878
16,Itu,5.15285,7.98763
17,Mbo,4.64820,8.25321
18,Mkpat Enin,4.68974,7.76207
19,Nsit Atai,4.82470,8.03181
20,Nsit Ibom,4.89649,7.89062
21,Nsit Ubium,4.74685,7.95976
22,Obot Akara,5.24656,7.60425
23,Okobo,4.82143,8.13382
24,Onna,4.62927,7.85461
25,Oron,4.80935,8.23401,town
26,Oruk Anam,4.81058,7.66293
27,Udung Uko,4.75059,8.26256
28,Ukanafun,4.87715,7.58316
29,Uruan,5.01102,8.05524
30,Urue-Offong/Oruko,4.71729,8.16551
31,Uyo,5.00787,7.91747,city

AN,Anambra,South East,Awka,06,6.21269,7.07199
01,Aguata,5.98244,7.08607
02,Anambra East,6.31409,6.88593
03,Anambra West,6.49858,6.80968
04,Anaocha,6.09053,7.01898
05,Awka North,6.34263,7.05872
06,Awka South,6.19742,7.08762,city
07,Ayamelum,6.55973,6.98882
08,Dunukofia,6.27902,6.98014
09,Ekwusigo,5.99103,6.84982
10,Idemili North,6.12825,6.89069
11,Idemili South,6.06994,6.88057
12,Ihiala,5.84989,6.86121
13,Njikoka,6.18798,6.99230
14,Nnewi North,6.00969,6.91443,city
15,Nnewi South,5.94829,6.97376
16,Ogbaru,5.88643,6.73513
17,Onitsha North,6.16508,6.80002,metropolis
18,Onitsha South,6.13822,6.77283,metropolis
19,Orumba North,6.10511,7.16181
20,Orumba South,5.99438,7.22646
21,Oyi,6.22321,6.89755

BA,Bauchi,North East,Bauchi,02,10.31032,9.84388
01,Alkaleri,9.88789,10.48311
02,Bauchi,10.24302,9.93004,city
03,Bogoro,9.62823,9.61421
04,Damban,11.62019,10.78399
05,Darazo,11.14445,10.60836
06,Dass,9.99979,9.49286
07,Gamawa,12.03729,10.60369
08,Ganjuwa,10.75053,10.00271
09,Giade,11.40530,10.24751
10,Itas/Gadau,11.85911,10.03904
11,Jama'are,11.67927,9.92770
12,Katagum,11.66159,10.34147,town
13,Kirfi,10.41093,10.52647
14,Misau,11.38927,10.48138
15,Ningi,11.04757,9.23112
16,Shira,11.46811,10.01670
17,Tafawa Balewa,9.81054,9.59855
18,Toro,10.43907,9.22851
19,Warji,11.15471,9.73800
20,Zaki,12.21215,10.24121

BE,Benue,North Central,Makurdi,13,7.73375,8.52139
01,Ado,6.79427,8.00257
02,Agatu,7.87731,7.89150
03,Apa,7.65013,7.88613
04,Buruku,7.38595,9.27204
05,Gboko,7.36700,8.85979,town
06,Guma,7.92235,8.75947
07,Gwer East,7.38720,8.43571
08,Gwer West,7.62344,8.22331
09,Katsina-Ala,7.29248,9.59157
10,Konshisha,7.05719,8.66991
11,Kwande,6.80471,9.47349
12,Logo,7.66660,9.25551
13,Makurdi,7.73863,8.52043,city
14,Obi,7.02250,8.28103
15,Ogbadibo,7.02061,7.66333
16,Ohimini,7.25633,7.94522
17,Oju,6.85587,8.38774
18,Okpokwu,7.04886,7.86046
19,Otukpo,7.31561,8.05260,town
20,Tarka,7.61409,8.85901
21,Ukum,7.66416,9.63246
22,Ushongo,7.07859,9.09001
23,Vandeikya,6.85362,9.06544

BO,Borno,North East,Maiduguri,21,11.84692,13.15712
01,Abadam,13.42883,13.32290
02,Askira/Uba,10.64765,12.94325
03,Bama,11.54444,14.10238
04,Bayo,10.40508,11.70199
05,Biu,10.79699,12.09838,town
06,Chibok,10.84249,12.79893
07,Damboa,11.12992,12.74773
08,Dikwa,11.92160,14.03668
09,Gubio,12.66473,12.76169
10,Guzamala,12.86791,13.22873
11,Gwoza,11.16999,13.58482
12,Hawul,10.45375,12.27099
13,Jere,11.91145,13.17028,city
14,Kaga,11.64064,12.47583
15,Kala/Balge,12.04052,14.48068
16,Konduga,11.61235,13.08469
17,Kukawa,13.04675,13.71754
18,Kwaya Kusar,10.44683,11.88506
19,Mafa,12.00857,13.53499
20,Magumeri,12.17699,12.63325
21,Maiduguri,11.83653,13.12034,metropolis
22,Marte,12.40572,13.84427
23,Mobbar,13.06878,12.69017
24,Monguno,12.54212,13.61974
25,Ngala,12.24002,14.17949
26,Nganzai,12.47410,13.12782
27,Shani,10.18152,11.97490

BY,Bayelsa,South South,Yenagoa,08,4.92675,6.26764
01,Brass,4.37339,6.19671
02,Ekeremor,4.94557,5.70202
03,Kolokuma/Opokuma,5.08675,6.26298
04,Nembe,4.53459,6.39061
05,Ogbia,4.76778,6.33087
06,Sagbama,5.12750,6.21688
07,Southern Ijaw,4.66708,5.93097
08,Yenagoa,5.03366,6.34937,city

CR,Cross River,South South,Calabar,08,4.95893,8.32695
01,Abi,5.88792,8.02653
02,Akamkpa,5.40993,8.53303
03,Akpabuyo,4.89540,8.49465
04,Bakassi,4.80804,8.56892
05,Bekwarra,6.69812,8.91037
06,Biase,5.54381,8.07003
07,Boki,6.27902,9.01009
08,Calabar Municipal,5.01095,8.36264,city
09,Calabar South,4.86567,8.33058,city
10,Etung,5.86202,8.79680
11,Ikom,6.07569,8.61717,town
12,Obanliku,6.51925,9.32171
13,Obubra,5.98583,8.37474
14,Obudu,6.56516,9.07602
15,Odukpani,5.16532,8.14746
16,Ogoja,6.50883,8.72478,town
17,Yakurr,5.80052,8.18435
18,Yala,6.65401,8.58515

DE,Delta,South South,Asaba,15,6.19824,6.73187
01,Aniocha North,6.36299,6.48059
02,Aniocha South,6.13439,6.48420
03,Bomadi,5.22553,5.80973
04,Burutu,5.23570,5.58806
05,Ethiope East,5.68625,5.98483
06,Ethiope West,5.92022,5.75278
07,Ika North East,6.22925,6.29322,town
08,Ika South,6.18731,6.13356,town
09,Isoko North,5.52877,6.23574
10,Isoko South,5.38256,6.22071
11,Ndokwa East,5.68598,6.51244
12,Ndokwa West,5.82610,6.41636
13,Okpe,5.68623,5.77867
14,Oshimili North,6.31521,6.64503
15,Oshimili South,6.09437,6.67775,city
16,Patani,5.17336,6.09887
17,Sapele,5.83432,5.65158,town
18,Udu,5.47044,5.81663
19,Ughelli North,5.51136,6.05175,town
20,Ughelli South,5.36021,5.96778
21,Ukwuani,5.84450,6.24963
22,Uvwie,5.57287,5.77655,city
23,Warri North,5.90767,5.24431
24,Warri South,5.63132,5.60332,city
25,Warri South West,5.58282,5.40603

EB,Ebonyi,South East,Abakaliki,01,6.32485,8.11368
01,Abakaliki,6.25984,8.21965,city
02,Afikpo North,5.87988,7.92365,town
03,Afikpo South,5.83692,7.81435
04,Ebonyi,6.54172,8.12223
05,Ezza North,6.26717,7.97323
06,Ezza South,6.12742,7.99967
07,Ikwo,6.08712,8.18094
08,Ishielu,6.40697,7.80980
09,Ivo,5.89227,7.61773
10,Izzi,6.48787,8.27626
11,Ohaozara,6.01160,7.78858
12,Ohaukwu,6.52844,7.98562
13,Onicha,6.11314,7.84947

ED,Edo,South South,Benin City,12,6.33815,5.62575
01,Akoko-Edo,7.36292,6.13603
02,Egor,6.36344,5.58750,metropolis
03,Esan Central,6.70471,6.20793
04,Esan North East,6.76905,6.39116
05,Esan South East,6.58816,6.47185
06,Esan West,6.66315,6.13713
07,Etsako Central,6.97585,6.51759
08,Etsako East,7.19800,6.50575
09,Etsako West,6.99313,6.31250
10,Igueben,6.50962,6.24276
11,Ikpoba-Okha,6.17031,5.65107,metropolis
12,Oredo,6.22652,5.55386,metropolis
13,Orhionmwon,6.06653,6.00296
14,Ovia North East,6.48810,5.53414
15,Ovia South West,6.48520,5.27120
16,Owan East,7.04432,6.05911
17,Owan West,6.92366,5.89863
18,Uhunmwonde,6.50689,5.90874

EK,Ekiti,South West,Ado-Ekiti,01,7.62329,5.22087
01,Ado Ekiti,7.61184,5.26848,city
02,Efon,7.69063,4.93376
03,Ekiti East,7.73237,5.67264
04,Ekiti South West,7.52035,5.04189
05,Ekiti West,7.68477,5.00954
06,Emure,7.42322,5.51496
07,Gbonyin,7.59945,5.50113
08,Ido Osi,7.85722,5.18625
09,Ijero,7.84566,5.05645
10,Ikere,7.48911,5.21224,town
11,Ikole,7.89287,5.51104
12,Ilejemeje,7.95514,5.23229
13,Irepodun/Ifelodun,7.71093,5.23124
14,Ise/Orun,7.43668,5.39712
15,Moba,7.99561,5.13043
16,Oye,7.88442,5.34485

EN,Enugu,South East,Enugu,04,6.44132,7.49883
01,Aninri,6.05079,7.60387
02,Awgu,6.14952,7.45307
03,Enugu East,6.54872,7.55839,metropolis
04,Enugu North,6.44363,7.53296,metropolis
05,Enugu South,6.39691,7.51156,metropolis
06,Ezeagu,6.40673,7.22338
07,Igbo Etiti,6.68460,7.41772
08,Igbo Eze North,7.02149,7.45611
09,Igbo Eze South,6.94942,7.38161
10,Isi Uzo,6.74291,7.72267
11,Nkanu East,6.31864,7.66616
12,Nkanu West,6.32870,7.53433
13,Nsukka,6.83197,7.39462,city
14,Oji River,6.16324,7.28651
15,Udenu,6.87832,7.56123
16,Udi,6.48839,7.33192
17,Uzo Uwani,6.73334,7.13963

FC,Federal Capital Territory,North Central,Abuja,02,9.05785,7.49508
01,Abaji,8.83961,6.81854
02,Abuja Municipal Area Council,8.94046,7.40562,metropolis
03,Bwari,9.25974,7.49860,city
04,Gwagwalada,9.06639,7.02909,town
05,Kuje,8.65571,7.22991
06,Kwali,8.74445,6.97556

GO,Gombe,North East,Gombe,06,10.28969,11.16729
01,Akko,10.11517,11.03439,town
02,Balanga,9.83664,11.66028
03,Billiri,9.83325,11.11738
04,Dukku,10.79332,10.82579
05,Funakaye,10.77859,11.34207
06,Gombe,10.29113,11.16029,city
07,Kaltungo,9.85172,11.41999
08,Kwami,10.49371,11.17635
09,Nafada,11.06585,11.19728
10,Shongom,9.65764,11.18376
11,Yamaltu/Deba,10.27347,11.48400

IM,Imo,South East,Owerri,25,5.48363,7.03325
01,Aboh Mbaise,5.43099,7.25018
02,Ahiazu Mbaise,5.56134,7.26441
03,Ehime Mbano,5.67873,7.28876
04,Ezinihitte,5.47497,7.32288
05,Ideato North,5.88546,7.13584
06,Ideato South,5.81663,7.13062
07,Ihitte/Uboma,5.63997,7.37922
08,Ikeduru,5.56437,7.15283
09,Isiala Mbano,5.67780,7.18787
10,Isu,5.68886,7.05221
11,Mbaitoli,5.59589,7.02282
12,Ngor Okpala,5.31168,7.15842
13,Njaba,5.70928,7.00664
14,Nkwerre,5.75393,7.10513
15,Nwangele,5.71004,7.12606
16,Obowo,5.56350,7.35996
17,Oguta,5.65416,6.80764
18,Ohaji/Egbema,5.42709,6.82363
19,Okigwe,5.82968,7.32418,town
20,Onuimo,5.78815,7.22198
21,Orlu,5.80647,7.03415,town
22,Orsu,5.84855,6.97264
23,Oru East,5.71158,6.94153
24,Oru West,5.74841,6.89251
25,Owerri Municipal,5.47665,7.01743,city
26,Owerri North,5.45198,7.09134,city
27,Owerri West,5.43203,6.97369,town

JI,Jigawa,North West,Dutse,06,11.75618,9.33896
01,Auyo,12.35043,9.99260
02,Babura,12.60834,8.86127
03,Birnin Kudu,11.47367,9.48282
04,Birniwa,12.81802,10.06546
05,Buji,11.57970,9.72346
06,Dutse,11.79478,9.31238,city
07,Gagarawa,12.49250,9.52624
08,Garki,12.41095,9.08100
09,Gumel,12.63169,9.40106,town
10,Guri,12.64472,10.46471
11,Gwaram,11.19174,9.97496
12,Gwiwa,12.75443,8.28582
13,Hadejia,12.46669,10.05176,town
14,Jahun,12.06198,9.55538
15,Kafin Hausa,12.15833,9.99851
16,Kaugama,12.49153,9.75650
17,Kazaure,12.65081,8.52094
18,Kiri Kasama,12.57342,10.23399
19,Kiyawa,11.83526,9.57534
20,Maigatari,12.70771,9.57664
21,Malam Madori,12.54689,9.97767
22,Miga,12.22934,9.68895
23,Ringim,12.17747,9.10745
24,Roni,12.58731,8.32870
25,Sule Tankarkar,12.64254,9.21354
26,Taura,12.27749,9.37604
27,Yankwashi,12.75517,8.51718

KD,Kaduna,North West,Kaduna,09,10.52641,7.43879
01,Birnin Gwari,10.86479,6.66240
02,Chikun,10.36144,7.22482,town
03,Giwa,11.11883,7.36632
04,Igabi,10.74332,7.54427,town
05,Ikara,11.27502,8.20356
06,Jaba,9.48957,8.02720
07,Jema'a,9.39773,8.26066
08,Kachia,9.83903,7.65815
09,Kaduna North,10.54880,7.44726,metropolis
10,Kaduna South,10.50768,7.41246,metropolis
11,Kagarko,9.48740,7.62437
12,Kajuru,10.26310,7.86499
13,Kaura,9.61927,8.45999
14,Kauru,10.29929,8.27917
15,Kubau,10.87110,8.36326
16,Kudan,11.27045,7.76384
17,Lere,10.36933,8.56665
18,Makarfi,11.30864,7.96115
19,Sabon Gari,11.17380,7.67921,city
20,Sanga,9.24088,8.46017
21,Soba,10.95798,7.99125
22,Zangon Kataf,9.84572,8.24065
23,Zaria,11.02978,7.69102,city

KE,Kebbi,North West,Birnin Kebbi,06,12.45389,4.19750
01,Aleiro,12.31585,4.45120
02,Arewa Dandi,12.75762,4.06244
03,Argungu,12.69253,4.43213,town
04,Augie,12.91238,4.60279
05,Bagudo,11.33842,3.93737
06,Birnin Kebbi,12.48083,4.26081,city
07,Bunza,12.18956,3.93238
08,Dandi,11.84163,3.80171
09,Fakai,11.52019,4.88782
10,Gwandu,12.51483,4.63798
11,Jega,12.10932,4.42761
12,Kalgo,12.36511,4.05970
13,Koko/Besse,11.42712,4.38435
14,Maiyama,11.98156,4.31336
15,Ngaski,10.56800,4.76362
16,Sakaba,11.13868,5.55828
17,Shanga,11.13580,4.61500
18,Suru,11.81033,4.09355
19,Wasagu/Danko,11.44541,5.64891
20,Yauri,10.79385,4.73986,town
21,Zuru,11.44639,5.29639,town

KN,Kano,North West,Kano,21,12.00012,8.51672
01,Ajingi,11.97313,9.06909
02,Albasu,11.63409,9.11317
03,Bagwai,12.10244,8.13455
04,Bebeji,11.50963,8.31110
05,Bichi,12.27656,8.26720
06,Bunkure,11.67397,8.59181
07,Dala,12.02155,8.49548,metropolis
08,Dambatta,12.42984,8.62830
09,Dawakin Kudu,11.80359,8.67119
10,Dawakin Tofa,12.14747,8.39125
11,Doguwa,10.84713,8.67509
12,Fagge,12.03297,8.52189,metropolis
13,Gabasawa,12.15083,8.86034
14,Garko,11.55813,8.84871
15,Garun Mallam,11.66295,8.40410
16,Gaya,11.79045,9.05530
17,Gezawa,12.04531,8.73067
18,Gwale,11.98406,8.48599,metropolis
19,Gwarzo,11.89880,7.95047
20,Kabo,11.88704,8.17511
21,Kano Municipal,11.97670,8.51430,metropolis
22,Karaye,11.75496,8.00589
23,Kibiya,11.50854,8.68125
24,Kiru,11.59547,8.14652
25,Kumbotso,11.91925,8.51731,city
26,Kunchi,12.44250,8.27714
27,Kura,11.78078,8.50026
28,Madobi,11.81487,8.38654
29,Makoda,12.41770,8.48922
30,Minjibir,12.18940,8.62465
31,Nasarawa,12.00446,8.57826,metropolis
32,Rano,11.47576,8.52510
33,Rimin Gado,11.93222,8.28313
34,Rogo,11.51255,7.84871
35,Shanono,12.07341,7.95563
36,Sumaila,11.31711,8.91850
37,Takai,11.49745,9.15607
38,Tarauni,11.96202,8.55427,metropolis
39,Tofa,12.01274,8.33166
40,Tsanyawa,12.27553,8.00778
41,Tudun Wada,11.25748,8.58709
42,Ungogo,12.04197,8.60562,city
43,Warawa,11.90747,8.75947
44,Wudil,11.74706,8.87919

KO,Kogi,North Central,Lokoja,12,7.79688,6.74048
01,Adavi,7.67682,6.44582,town
02,Ajaokuta,7.51333,6.59462
03,Ankpa,7.46351,7.63710
04,Bassa,7.79197,7.03193
05,Dekina,7.56899,7.18015
06,Ibaji,6.81109,6.77257
07,Idah,7.06519,6.73131
08,Igalamela-Odolu,7.06324,7.04472
09,Ijumu,7.83653,5.96186
10,Kabba/Bunu,8.09992,6.22953
11,Kogi,8.14648,6.86503
12,Lokoja,8.23918,6.55406,city
13,Mopa-Muro,8.14727,5.91975
14,Ofu,7.32677,7.03836
15,Ogori/Magongo,7.47701,6.16055
16,Okehi,7.71785,6.31275
17,Okene,7.46755,6.34734,town
18,Olamaboro,7.20299,7.53012
19,Omala,7.81777,7.53727
20,Yagba East,8.17325,5.77540
21,Yagba West,8.31467,5.53937

KT,Katsina,North West,Katsina,21,12.99082,7.60177
01,Bakori,11.63990,7.43453
02,Batagarawa,12.88189,7.57651
03,Batsari,12.81520,7.23997
04,Baure,12.79051,8.77709
05,Bindawa,12.71908,7.89467
06,Charanchi,12.60006,7.67708
07,Dan Musa,12.22312,7.33599
08,Dandume,11.41745,7.20273
09,Danja,11.40295,7.56330
10,Daura,12.96623,8.27180,town
11,Dutsi,12.91316,8.14569
12,Dutsin-Ma,12.42702,7.50843
13,Faskari,11.68125,7.08645
14,Funtua,11.46033,7.30497,town
15,Ingawa,12.61633,8.10577
16,Jibia,13.01756,7.33402
17,Kafur,11.64969,7.70761
18,Kaita,13.16816,7.76550
19,Kankara,11.98744,7.35973
20,Kankia,12.45229,7.79298
21,Katsina,13.01213,7.61328,city
22,Kurfi,12.67002,7.47848
23,Kusada,12.45120,7.96349
24,Mai'adua,13.12976,8.21694
25,Malumfashi,11.85941,7.65708,town
26,Mani,12.89275,7.92459
27,Mashi,13.13090,7.98804
28,Matazu,12.25289,7.63100
29,Musawa,12.09480,7.70279
30,Rimi,12.84886,7.71822
31,Sabuwa,11.32716,7.08414
32,Safana,12.50147,7.23375
33,Sandamu,12.90525,8.37221
34,Zango,12.94705,8.54332

KW,Kwara,North Central,Ilorin,08,8.49664,4.54214
01,Asa,8.44864,4.42235
02,Baruten,9.29181,3.38328
03,Edu,8.89672,5.18833
04,Ekiti,8.10861,5.33998
05,Ifelodun,8.54433,5.05222
06,Ilorin East,8.62509,4.79569,city
07,Ilorin South,8.47450,4.64215,city
08,Ilorin West,8.47304,4.51353,city
09,Irepodun,8.16935,4.92620
10,Isin,8.26479,5.04263
11,Kaiama,9.40787,4.17803
12,Moro,8.84854,4.57455
13,Offa,8.15219,4.68541,town
14,Oke Ero,8.19306,5.27648
15,Oyun,8.19985,4.63164
16,Pategi,8.63085,5.79879

LA,Lagos,South West,Ikeja,11,6.59651,3.34205
01,Agege,6.62374,3.31631,metropolis
02,Ajeromi-Ifelodun,6.45410,3.33775,metropolis
03,Alimosho,6.57429,3.25878,metropolis
04,Amuwo-Odofin,6.43282,3.29372,metropolis
05,Apapa,6.44697,3.36576,metropolis
06,Badagry,6.44106,2.92082,town
07,Epe,6.55547,3.96866,town
08,Eti-Osa,6.45608,3.54598,metropolis
09,Ibeju-Lekki,6.47105,3.86961,town
10,Ifako-Ijaiye,6.66302,3.31095,metropolis
11,Ikeja,6.60021,3.34867,metropolis
12,Ikorodu,6.61642,3.56674,city
13,Kosofe,6.59279,3.40793,metropolis
14,Lagos Island,6.45362,3.39400,metropolis
15,Lagos Mainland,6.49673,3.38508,metropolis
16,Mushin,6.53148,3.35087,metropolis
17,Ojo,6.45428,3.16222,city
18,Oshodi-Isolo,6.53095,3.31406,metropolis
19,Shomolu,6.53636,3.38478,metropolis
20,Surulere,6.49322,3.34692,metropolis

NA,Nasarawa,North Central,Lafia,08,8.49390,8.51532
01,Akwanga,9.03018,8.34163
02,Awe,8.24493,9.23378
03,Doma,8.15159,8.27662
04,Karu,9.04125,7.79737,city
05,Keana,8.18181,8.76020
06,Keffi,8.85707,7.85992,town
07,Kokona,8.74001,8.07491
08,Lafia,8.63821,8.72329,city
09,Nasarawa,8.30408,7.76025
10,Nasarawa Eggon,8.75138,8.43569
11,Obi,8.35532,8.73477
12,Toto,8.26767,7.21669
13,Wamba,8.97944,8.69243

NI,Niger,North Central,Minna,06,9.61524,6.54776
01,Agaie,8.94306,6.43754
02,Agwara,10.74474,4.52932
03,Bida,9.09496,6.01390,town
04,Borgu,10.32042,4.15159
05,Bosso,9.60525,6.42363,town
06,Chanchaga,9.61576,6.54233,city
07,Edati,9.05093,5.65844
08,Gbako,9.29587,6.01104
09,Gurara,9.32047,7.02846
10,Katcha,9.15408,6.26594
11,Kontagora,10.40664,5.48999,town
12,Lapai,8.74049,6.66242
13,Lavun,9.43773,5.59405
14,Magama,10.37566,4.97641
15,Mariga,10.67199,5.80842
16,Mashegu,9.86779,5.25022
17,Mokwa,9.16004,5.38222
18,Munya,9.82851,7.04614
19,Paikoro,9.47084,6.86376
20,Rafi,10.17451,6.26067
21,Rijau,11.08370,5.12962
22,Shiroro,10.09859,6.68254
23,Suleja,9.20007,7.18349,city
24,Tafa,9.27250,7.28197
25,Wushishi,9.67868,5.95516

OG,Ogun,South West,Abeokuta,02,7.15571,3.34509
01,Abeokuta North,7.22275,3.17389,city
02,Abeokuta South,7.15296,3.36126,city
03,Ado-Odo/Ota,6.62187,3.08737,city
04,Ewekoro,6.95663,3.19356
05,Ifo,6.77260,3.26937,town
06,Ijebu East,6.82586,4.27366
07,Ijebu North,7.01502,3.98485
08,Ijebu North East,6.88066,4.03125
09,Ijebu Ode,6.73743,3.97749,town
10,Ikenne,6.90388,3.68623
11,Imeko Afon,7.61394,2.87720
12,Ipokia,6.61596,2.79946
13,Obafemi Owode,7.00911,3.50610,town
14,Odeda,7.30276,3.50010
15,Odogbolu,6.78309,3.82220
16,Ogun Waterside,6.48988,4.40622
17,Remo North,7.00796,3.73105
18,Shagamu,6.78263,3.58355,town
19,Yewa North,7.11158,2.90767
20,Yewa South,6.78760,2.95026

ON,Ondo,South West,Akure,06,7.25256,5.19312
01,Akoko North East,7.53935,5.83759
02,Akoko North West,7.63443,5.78380
03,Akoko South East,7.42899,5.90990
04,Akoko South West,7.40475,5.69561
05,Akure North,7.26182,5.31550
06,Akure South,7.21668,5.19342,city
07,Ese-Odo,6.17734,4.95485
08,Idanre,6.97642,5.19814
09,Ifedore,7.37209,5.09499
10,Ilaje,6.27710,4.71474
11,Ile Oluji/Okeigbo,7.26083,4.84942
12,Irele,6.50216,4.98480
13,Odigbo,6.75049,4.76500
14,Okitipupa,6.56365,4.69511,town
15,Ondo East,7.15500,4.93425
16,Ondo West,6.99854,4.75264,city
17,Ose,7.05228,5.74028
18,Owo,7.15212,5.56966,town

OS,Osun,South West,Osogbo,30,7.77104,4.55698
01,Atakunmosa East,7.43574,4.75511
02,Atakunmosa West,7.59676,4.63439
03,Ayedaade,7.31427,4.32525
04,Ayedire,7.57801,4.25068
05,Boluwaduro,7.93082,4.80970
06,Boripe,7.85884,4.67359
07,Ede North,7.72967,4.46949,town
08,Ede South,7.65996,4.45819
09,Egbedore,7.79801,4.42519
10,Ejigbo,7.84598,4.27257
11,Ife Central,7.54254,4.53274,city
12,Ife East,7.42050,4.58481,town
13,Ife North,7.28152,4.45472
14,Ife South,7.23010,4.59582
15,Ifedayo,7.98191,4.98727
16,Ifelodun,7.92095,4.63674
17,Ila,7.98929,4.88687
18,Ilesa East,7.60636,4.75947,town
19,Ilesa West,7.64594,4.72738,town
20,Irepodun,7.84861,4.49880
21,Irewole,7.41295,4.22469
22,Isokan,7.24706,4.19835
23,Iwo,7.65966,4.13138,town
24,Obokun,7.78012,4.76596
25,Odo Otin,8.00884,4.67680
26,Ola Oluwa,7.75528,4.20544
27,Olorunda,7.86579,4.56779,city
28,Oriade,7.53894,4.87219
29,Orolu,7.90291,4.48489
30,Osogbo,7.75489,4.56714,city

OY,Oyo,South West,Ibadan,07,7.37756,3.90591
01,Afijio,7.74482,3.87051
02,Akinyele,7.58693,3.89339,city
03,Atiba,8.23907,3.90192
04,Atisbo,8.40578,3.23716
05,Egbeda,7.40709,4.05824,city
06,Ibadan North,7.42338,3.90382,metropolis
07,Ibadan North East,7.39076,3.92483,metropolis
08,Ibadan North West,7.40452,3.87425,metropolis
09,Ibadan South East,7.35449,3.90113,metropolis
10,Ibadan South West,7.37439,3.85088,metropolis
11,Ibarapa Central,7.46165,3.23330
12,Ibarapa East,7.59205,3.48709
13,Ibarapa North,7.66976,3.15694
14,Ido,7.51459,3.70820,town
15,Irepo,9.01569,3.92322
16,Iseyin,7.93476,3.56117,town
17,Itesiwaju,8.23128,3.34777
18,Iwajowa,8.00100,3.00733
19,Kajola,8.02692,3.35624
20,Lagelu,7.51924,4.05756,town
21,Ogbomosho North,8.15182,4.25327,city
22,Ogbomosho South,8.11299,4.22099,city
23,Ogo Oluwa,7.97266,4.17851
24,Olorunsogo,8.77524,4.08267
25,Oluyole,7.21074,3.87659,town
26,Ona Ara,7.25989,4.03718,town
27,Orelope,8.81832,3.79794
28,Ori Ire,8.35251,4.14006
29,Oyo East,7.80800,4.01585,town
30,Oyo West,7.88866,3.79392,town
31,Saki East,8.69316,3.62147
32,Saki West,8.63856,3.15101,town
33,Surulere,8.08892,4.39357

PL,Plateau,North Central,Jos,05,9.92849,8.89212
01,Barkin Ladi,9.54971,8.92675
02,Bassa,10.08021,8.78299
03,Bokkos,9.21746,8.92167
04,Jos East,9.88525,9.11861
05,Jos North,9.94358,8.90583,city
06,Jos South,9.76085,8.83122,city
07,Kanam,9.50137,10.09684
08,Kanke,9.37809,9.63035
09,Langtang North,9.09105,9.81662
10,Langtang South,8.59889,9.81490
11,Mangu,9.40168,9.18303
12,Mikang,9.01644,9.60679
13,Pankshin,9.28360,9.43370
14,Qua'an Pan,8.75253,9.16560
15,Riyom,9.56418,8.69210
16,Shendam,8.70815,9.52970
17,Wase,9.06886,10.21917

RI,Rivers,South South,Port Harcourt,22,4.77742,7.01340
01,Abua/Odual,4.83663,6.56194
02,Ahoada East,5.05657,6.63889
03,Ahoada West,5.06195,6.52026
04,Akuku-Toru,4.53578,6.69943
05,Andoni,4.50434,7.39769
06,Asari-Toru,4.75235,6.85139
07,Bonny,4.49763,7.20030
08,Degema,4.57439,6.92988
09,Eleme,4.78888,7.14202
10,Emohua,5.00364,6.77744
11,Etche,5.09267,7.09213
12,Gokana,4.66361,7.29329
13,Ikwerre,5.06476,6.90578
14,Khana,4.68102,7.43539
15,Obio/Akpor,4.86547,7.01124,metropolis
16,Ogba/Egbema/Ndoni,5.39494,6.63781
17,Ogu/Bolo,4.63900,7.20027
18,Okrika,4.67076,7.09807
19,Omuma,5.08069,7.23082
20,Opobo/Nkoro,4.50341,7.51999
21,Oyigbo,4.83655,7.31777
22,Port Harcourt,4.77619,7.02390,metropolis
23,Tai,4.76212,7.25448

SO,Sokoto,North West,Sokoto,16,13.06269,5.24322
01,Binji,13.19035,4.80123
02,Bodinga,12.81551,5.19792
03,Dange-Shuni,12.83008,5.42414
04,Gada,13.69348,5.69411
05,Goronyo,13.36917,5.78426
06,Gudu,13.44614,4.49183
07,Gwadabawa,13.41962,5.33629
08,Illela,13.66146,5.34521
09,Isa,13.20587,6.34195
10,Kebbe,11.91469,4.72681
11,Kware,13.13881,5.31091
12,Rabah,12.99378,5.74015
13,Sabon Birni,13.47945,6.26493
14,Shagari,12.53723,5.11620
15,Silame,12.99233,4.82341
16,Sokoto North,13.07809,5.22356,city
17,Sokoto South,13.04024,5.25713,city
18,Tambuwal,12.37083,4.82678
19,Tangaza,13.49380,4.96890
20,Tureta,12.47390,5.51173
21,Wamako,13.07570,5.10893,town
22,Wurno,13.24513,5.52483
23,Yabo,12.79143,4.95939

TA,Taraba,North East,Jalingo,07,8.89367,11.35960
01,Ardo Kola,8.81112,11.17206
02,Bali,8.13346,10.99798
03,Donga,7.63903,10.26012
04,Gashaka,7.50788,11.37036
05,Gassol,8.44364,10.54319
06,Ibi,8.34606,9.80799
07,Jalingo,8.91950,11.32642,city
08,Karim Lamido,9.20201,10.86311
09,Kurmi,7.20967,10.62369
10,Lau,9.18485,11.41020
11,Sardauna,6.87596,11.22678
12,Takum,7.13928,9.88742
13,Ussa,7.07444,10.03337
14,Wukari,7.99392,9.82804,town
15,Yorro,8.89629,11.54246
16,Zing,8.87993,11.74480

YO,Yobe,North East,Damaturu,03,11.74697,11.96083
01,Bade,12.78435,10.67717,town
02,Bursari,12.71416,11.41995
03,Damaturu,11.83323,12.01432,city
04,Fika,11.37137,11.22165
05,Fune,11.83587,11.42242
06,Geidam,12.67593,12.10040
07,Gujba,11.37054,11.96138
08,Gulani,10.94241,11.67711
09,Jakusko,12.44174,10.91265
10,Karasuwa,12.97924,10.77460
11,Machina,13.04381,10.02018
12,Nangere,11.82113,10.97669
13,Nguru,12.96818,10.39402,town
14,Potiskum,11.70694,11.16587,city
15,Tarmuwa,12.24119,11.81164
16,Yunusari,13.09717,11.77783
17,Yusufari,13.17939,10.89289

ZA,Zamfara,North West,Gusau,07,12.17024,6.66412
01,Anka,11.94059,5.98692
02,Bakura,12.60455,5.85817
03,Birnin Magaji,12.45664,6.88647
04,Bukkuyum,11.93873,5.58696
05,Bungudu,12.10721,6.57357
06,Gummi,12.02485,5.14593
07,Gusau,12.20421,7.01815,city
08,Kaura Namoda,12.50241,6.61077,town
09,Maradun,12.73665,6.26367
10,Maru,11.52959,6.31924
11,Shinkafi,13.03029,6.47245
12,Talata Mafara,12.36211,6.05990
13,Tsafe,11.87172,6.90992
14,Zurmi,12.83026,6.77128
`
