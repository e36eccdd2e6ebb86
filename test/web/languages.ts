/** Everyday words of each language, enough for prose that a language detector knows and a reader smiles at. */
const words = {
  en: 'the garden and morning with letter through river when winter under bridge which kitchen before island window between harbour silver often candle mountain teacher where forest their basket evening small thunder without market brother little clock yellow orchard should weather wooden stranger always summer kettle quiet field toward village another sailor stone because feather ladder gentle pocket after lantern copper journey almost meadow pepper whisper north blanket honey corner engine favourite violin station picture cousin button umbrella',
  de: 'der garten und morgen mit brief durch fluss wenn winter unter brücke welche küche bevor insel fenster zwischen hafen silber oft kerze gebirge lehrer wald ihre korb abend klein donner ohne markt bruder wenig uhr gelb wiese sollte wetter hölzern fremder immer sommer kessel ruhig feld dorf andere seemann stein weil feder leiter sanft tasche nach laterne kupfer reise fast pfeffer flüstern norden decke honig ecke schlüssel übung straße frühling geschichte schmetterling nachbar zwiebel apfelkuchen bürgermeister',
  fr: 'le jardin et matin avec lettre par rivière quand hiver sous pont laquelle cuisine avant île fenêtre entre port argent souvent bougie montagne maître forêt leur panier soir petit tonnerre sans marché frère horloge jaune verger devrait temps bois étranger toujours été bouilloire tranquille champ vers village autre marin pierre parce plume échelle doux poche après lanterne cuivre voyage presque prairie poivre murmure nord couverture miel coin façade élève château boulangerie dimanche chanson',
  es: 'el jardín y mañana con carta por río cuando invierno bajo puente cual cocina antes isla ventana entre puerto plata siempre vela montaña maestro donde bosque su cesta tarde pequeño trueno sin mercado hermano poco reloj amarillo huerto debería tiempo madera extraño verano tetera tranquilo campo hacia pueblo otro marinero piedra porque pluma escalera suave bolsillo después linterna cobre viaje casi prado pimienta susurro norte manta miel rincón niño corazón español canción sueño',
  it: 'il giardino e mattina con lettera attraverso fiume quando inverno sotto ponte quale cucina prima isola finestra tra porto argento spesso candela montagna maestro dove bosco loro cesto sera piccolo tuono senza mercato fratello poco orologio giallo frutteto dovrebbe tempo legno straniero sempre estate bollitore tranquillo campo verso villaggio altro marinaio pietra perché piuma scala dolce tasca dopo lanterna rame viaggio quasi prato pepe sussurro nord coperta miele angolo città caffè libertà domenica',
  pt: 'o jardim e manhã com carta pelo rio quando inverno sob ponte qual cozinha antes ilha janela entre porto prata muitas vela montanha professor onde floresta seu cesto noite pequeno trovão sem mercado irmão pouco relógio amarelo pomar deveria tempo madeira estranho sempre verão chaleira tranquilo campo para aldeia outro marinheiro pedra porque pena escada suave bolso depois lanterna cobre viagem quase prado pimenta sussurro norte cobertor mel canto coração estação avó maçã lição',
  nl: 'de tuin en ochtend met brief door rivier wanneer winter onder brug welke keuken voordat eiland raam tussen haven zilver vaak kaars gebergte leraar waar bos hun mand avond klein donder zonder markt broer weinig klok geel boomgaard zou weer houten vreemdeling altijd zomer ketel rustig veld naar dorp andere zeeman steen omdat veer ladder zacht zak na lantaarn koper reis bijna weide peper gefluister noorden deken honing hoek fiets gezellig schaatsen vuurtoren koekje zaterdag',
  sv: 'den trädgård och morgon med brev genom flod när vinter under bro vilken kök innan ö fönster mellan hamn silver ofta ljus berg lärare där skog deras korg kväll liten åska utan marknad bror klocka gul fruktträdgård borde väder trä främling alltid sommar kittel stilla fält mot by annan sjöman sten eftersom fjäder stege mild ficka efter lykta koppar resa nästan äng peppar viskning norr filt honung hörn smörgås björk älg kanelbulle söndag',
  pl: 'ogród i poranek z list przez rzeka kiedy zima pod most która kuchnia przed wyspa okno między port srebro często świeca góra nauczyciel gdzie las ich kosz wieczór mały grzmot bez targ brat mało zegar żółty sad powinien pogoda drewniany obcy zawsze lato czajnik cichy pole wieś inny żeglarz kamień ponieważ pióro drabina łagodny kieszeń potem latarnia miedź podróż prawie łąka pieprz szept północ koc miód róg książka dziękuję święto źródło źrebię niedziela',
  cs: 'zahrada a ráno s dopis přes řeka když zima pod most která kuchyně před ostrov okno mezi přístav stříbro často svíčka hora učitel kde les jejich koš večer malý hrom bez trh bratr málo hodiny žlutý sad měl počasí dřevěný cizinec vždy léto konvice tichý pole vesnice jiný námořník kámen protože pero žebřík jemný kapsa potom lucerna měď cesta téměř louka pepř šepot sever deka med roh kůň příběh děkuji neděle',
  ru: 'сад и утро с письмо через река когда зима под мост которая кухня перед остров окно между гавань серебро часто свеча гора учитель где лес их корзина вечер маленький гром без рынок брат мало часы жёлтый огород должен погода деревянный незнакомец всегда лето чайник тихий поле деревня другой моряк камень потому перо лестница нежный карман после фонарь медь путешествие почти луг перец шёпот север одеяло мёд угол книга снег праздник воскресенье',
  ar: 'حديقة و صباح مع رسالة عبر نهر عندما شتاء تحت جسر التي مطبخ قبل جزيرة نافذة بين ميناء فضة غالبا شمعة جبل معلم حيث غابة سلة مساء صغير رعد بدون سوق أخ قليل ساعة أصفر بستان يجب طقس خشبي غريب دائما صيف إبريق هادئ حقل نحو قرية آخر بحار حجر لأن ريشة سلم لطيف جيب بعد فانوس نحاس رحلة تقريبا مرج فلفل همس شمال بطانية عسل زاوية كتاب',
  ja: '庭は 朝の 手紙を 川が 冬に 橋と 台所で 島へ 窓から 港まで 銀の 蝋燭を 山に 先生が 森の 籠を 夕方に 小さな 雷が 市場で 兄弟と 時計の 黄色い 果樹園を 天気が 木の 旅人は いつも 夏に 静かな 畑で 村へ 水夫の 石を 羽が 梯子を 優しい 鞄に 提灯と 銅の 旅を ほとんど 草原で 胡椒を 囁きが 北へ 毛布の 蜂蜜を 角に 電車が 桜の 雨が 歩いた 見つけた 食べました 読んでいる 思います 光る 眠った 歌います',
  zh: '花园 早晨 信件 河流 冬天 桥梁 厨房 岛屿 窗户 港口 银色 蜡烛 高山 老师 森林 篮子 傍晚 小小的 雷声 市场 兄弟 时钟 黄色 果园 天气 木头 陌生人 总是 夏天 水壶 安静的 田野 村庄 水手 石头 因为 羽毛 梯子 温柔 口袋 之后 灯笼 红铜 旅行 几乎 草地 胡椒 低语 北方 毯子 蜂蜜 角落 我们 喜欢 看见 他们的 在这里 那时候 火车 书店',
  'zh-TW':
    '花園 早晨 信件 河流 冬天 橋樑 廚房 島嶼 窗戶 港口 銀色 蠟燭 高山 老師 森林 籃子 傍晚 小小的 雷聲 市場 兄弟 時鐘 黃色 果園 天氣 木頭 陌生人 總是 夏天 水壺 安靜的 田野 村莊 水手 石頭 因為 羽毛 梯子 溫柔 口袋 之後 燈籠 紅銅 旅行 幾乎 草地 胡椒 低語 北方 毯子 蜂蜜 角落 我們 喜歡 看見 他們的 在這裡 那時候 火車 書店',
  ko: '정원은 아침에 편지를 강이 겨울에 다리와 부엌에서 섬으로 창문을 항구까지 은빛 촛불을 산에 선생님이 숲의 바구니를 저녁에 작은 천둥이 시장에서 형제와 시계의 노란 과수원을 날씨가 나무의 나그네는 언제나 여름에 조용한 들판에서 마을로 선원의 돌을 깃털이 사다리를 부드러운 주머니에 등불과 구리 여행을 거의 초원에서 후추를 속삭임이 북쪽으로 담요의 꿀을 모퉁이에 기차가 벚꽃의 비가 걸었다 찾았다 먹었습니다 읽고 생각합니다',
}

export type Language = keyof typeof words

export interface Vocabulary {
  readonly words: readonly string[]
  readonly between: string
  readonly fullStop: string
}

const unspaced = new Set<Language>(['ja', 'zh', 'zh-TW'])

const vocabularies = new Map<Language, Vocabulary>(
  Object.entries(words).map(([language, list]) => {
    const dense = unspaced.has(language as Language)
    return [language as Language, { words: list.split(' '), between: dense ? '' : ' ', fullStop: dense ? '。' : '. ' }]
  }),
)

export const languages: readonly Language[] = [...vocabularies.keys()]

export function vocabulary(language: Language): Vocabulary {
  return vocabularies.get(language)!
}
