import type { Topic } from './topic.ts'

export const bread: Topic = {
  language: 'de',
  home: {
    title: 'Brot und Sauerteig',
    text: [
      'Aufzeichnungen aus einer Backstube mit einem einzigen Ofen, der älter ist als alle, die darin backen.',
      'Zu jedem Brot stehen hier der Teig, das Backen und die Geschichte, und manchmal auch, was dabei schiefging.',
    ],
  },
  things: [
    ['Roggenbrot', 'hält sich eine Woche und schmeckt am dritten Tag am besten'],
    ['Bauernlaib', 'reißt an der Kruste auf wie trockene Erde'],
    ['Dinkelbrot', 'will sanft geknetet werden, weil sein Kleber schnell müde wird'],
    ['Pumpernickel', 'liegt sechzehn Stunden im Dampf und wird dabei schwarz und süß'],
    ['Laugenbrezel', 'bekommt ihren Glanz aus einem Bad, vor dem man Handschuhe anzieht'],
    ['Zwiebelbrot', 'lockt die Nachbarn an, bevor es fertig ist'],
    ['Kartoffelbrot', 'bleibt feucht und trägt eine Krume wie ein Kissen'],
    ['Vinschgauer', 'duftet nach Brotklee und kommt immer zu zweit aus dem Ofen'],
    ['Hefezopf', 'gehört zum Sonntag und verlangt drei gleiche Stränge'],
    ['Knäckebrot', 'wurde früher mit einem Loch in der Mitte an Stangen getrocknet'],
    ['Walnussbrot', 'färbt sich violett, wenn die Nüsse frisch sind'],
    ['Gewürzbrot', 'versteckt Fenchel, Kümmel und Koriander unter einer dunklen Kruste'],
  ],
  aspects: [
    {
      title: '{thing}: der Teig',
      sentences: [
        'Der Sauerteig für {thing} wird am Abend angesetzt und reift bei {number} Grad über Nacht.',
        'Das Wasser soll lauwarm sein, das Salz kommt erst nach einer halben Stunde dazu.',
        'Man knetet, bis der Teig sich vom Brett löst und beim Drücken langsam zurückkommt.',
        'Ein zu fester Teig reißt, ein zu weicher läuft davon, und dazwischen liegt die Erfahrung.',
        'Zugedeckt mit einem Leinentuch ruht {thing}, bis die Küche danach riecht.',
      ],
    },
    {
      title: '{thing} backen',
      sentences: [
        'Der Ofen muss heiß sein, lange bevor {thing} hineinkommt, und ein Schälchen Wasser gibt den Dampf.',
        'Nach {number} Minuten wird die Hitze gesenkt und die Tür einen Spalt geöffnet.',
        'Klopft man auf den Boden und es klingt hohl, dann ist das Brot gar.',
        'Auf einem Gitter kühlt es aus und knistert dabei leise.',
        'Wer zu früh anschneidet, wird mit einer klebrigen Krume bestraft.',
      ],
    },
    {
      title: 'Woher {thing} kommt',
      sentences: [
        'In alten Zunftbüchern wird {thing} schon vor {number} Jahren erwähnt.',
        'Die Müller zahlten ihre Pacht in Broten, und die Größe war auf das Lot genau festgelegt.',
        'Jedes Dorf hatte ein Backhaus, in dem reihum geheizt wurde.',
        'Im Hungerwinter streckte man das Mehl mit Eicheln und Rüben.',
        'Wandernde Gesellen trugen das Rezept über die Berge und änderten es dabei.',
      ],
    },
  ],
  remarks: [
    'Frische Butter und grobes Salz sind alles, was dazu gehört.',
    'Altes Brot wird nicht weggeworfen, sondern zu Knödeln oder Suppe.',
    'Meine Großmutter ritzte vor dem Anschneiden drei Kreuze in die Unterseite.',
    'Mehl aus der kleinen Mühle am Bach nimmt mehr Wasser auf als das gekaufte.',
    'Bei Gewitter geht der Teig schneller, sagen die Leute, und sie haben recht.',
    'Ein gutes Messer mit Wellenschliff erspart viele Krümel.',
    'Der Ofen gibt am Abend noch genug Wärme, um Apfelringe zu trocknen.',
  ],
}
