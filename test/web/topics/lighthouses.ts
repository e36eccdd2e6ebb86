import type { Topic } from './topic.ts'

export const lighthouses: Topic = {
  language: 'en',
  home: {
    title: 'Lights Along the Coast',
    text: [
      'A walker’s register of lighthouses: the towers, the lamps that burned in them, and the keepers who climbed the stairs every night.',
      'Every entry was visited on foot. Some of the lights are still burning; some are hotels now, and one is under the sea.',
    ],
  },
  things: [
    ['Skerry Head', 'stands on a rock that vanishes twice a day'],
    ['Gull Point', 'was painted in red bands so that captains could find it against the snow'],
    ['Old Margaret', 'was named after the widow who kept its fire alight for nineteen winters'],
    ['The Needle', 'is so thin that it hums in a westerly gale'],
    ['Saint Anselm', 'began as a chapel with a lantern in its belfry'],
    ['Cape Farewell', 'is the last light that emigrants saw'],
    ['Barrow Sands', 'walks: it was moved inland three times on greased rails as the cliff gave way'],
    ['Twin Sisters', 'are two towers that line up to show the only safe channel'],
    ['Foulness', 'was built of oak piles screwed into the mud'],
    ['Kittiwake Rock', 'lost its gallery to a single wave and kept its light'],
    ['North Stack', 'fired a gun every quarter of an hour in fog'],
    ['Harbour Mole', 'is the smallest of them, an iron lamp on a green post'],
  ],
  aspects: [
    {
      title: 'The tower of {thing}',
      sentences: [
        '{thing} rises {number} feet above high water, in courses of granite dovetailed like the joints of a drawer.',
        'No mortar could have set between two tides, so every stone was cut to lock its neighbour.',
        'The walls are thick as a man is tall at the foot and an arm’s length under the lantern.',
        'Inside, the stairs wind against the clock, leaving the right hand free for the rail.',
        'The builders slept in a wooden barrack on stilts and were seasick in bed.',
      ],
    },
    {
      title: 'Lamp and lens at {thing}',
      sentences: [
        'The first lamp of {thing} burned coal, the second whale oil, the third a mantle of glowing silk.',
        'Its great lens floats on a bath of mercury and can be turned with one finger.',
        'Two flashes every {number} seconds: no other light on this coast has that rhythm.',
        'A clockwork with a falling weight drove the lens and had to be wound before breakfast.',
        'Prisms gather the light of a single bulb into a beam that is seen beyond the horizon.',
      ],
    },
    {
      title: 'The keepers of {thing}',
      sentences: [
        'Three keepers shared the watches at {thing}, so that no one was ever alone with a dead man.',
        'The log notes wind, fog and passing sails, and in {number} places the death of a hen.',
        'Stores came by boat when the swell allowed: flour, paraffin, letters, a library in a box.',
        'Children of the station learned their sums from the tide tables.',
        'When the light was made automatic, the last keeper locked the door and posted the key.',
      ],
    },
  ],
  remarks: [
    'Bring a lantern of your own; the stairs have no windows.',
    'The path is closed while the terns are nesting.',
    'Charts of the time show a wreck for every letter of the alphabet.',
    'Ask at the post office for the key, and return it before dusk.',
    'Foghorns fell silent here long ago, and nobody misses them.',
    'On a clear night three other lights can be counted from the gallery.',
    'Salt has eaten the railings; keep to the landward side.',
  ],
}
