import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eld } from 'eld/small'
import { detectLanguage } from './language.ts'

const SENTENCES: Record<string, string> = {
  en: 'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience.',
  de: 'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt.',
  fr: 'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience.',
  es: 'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia.',
  it: 'Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati di ragione e di coscienza.',
  pt: 'Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de razão e de consciência.',
  nl: 'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn begiftigd met verstand en geweten.',
  pl: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem.',
  cs: 'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.',
  sv: 'Alla människor är födda fria och lika i värde och rättigheter. De har utrustats med förnuft och samvete.',
  tr: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.',
  ru: 'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.',
  uk: 'Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю.',
  el: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  ar: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا.',
  he: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.',
  hi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
  ja: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  zh: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  ko: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
  th: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  vi: 'Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.',
}

test('languages are told by a sentence', () => {
  for (const [language, sentence] of Object.entries(SENTENCES)) assert.equal(detectLanguage(sentence), language)
})

test('the flat tables answer as eld itself does, also for mixed and cut words', () => {
  const words = Object.values(SENTENCES).flatMap((sentence) => sentence.split(' '))
  let seed = 1
  const next = (below: number) => (seed = (seed * 48271) % 0x7fffffff) % below
  for (let round = 0; round < 1500; round++) {
    const start = next(words.length)
    const other = words.slice(next(words.length)).slice(0, next(6))
    const text = [...words.slice(start, start + 10 + next(30)), ...other, 'x'.repeat(next(120))].join(' ')
    const found = detectLanguage(text)
    if (found !== '') assert.equal(found, eld.detect(text).language, text)
  }
})

test('too little text is not judged', () => {
  for (const text of ['', 'Home', 'Log in | Sign up', '12345 67890 !!!'.repeat(50)])
    assert.equal(detectLanguage(text), '')
})

test('paragraphs count more than the menu before them', () => {
  const menu = 'Home\nAbout us\nContact\nNews\nPrivacy policy\nTerms of service\n'.repeat(10)
  assert.equal(detectLanguage(`${menu}${SENTENCES.de}\n${menu}`), 'de')
})
