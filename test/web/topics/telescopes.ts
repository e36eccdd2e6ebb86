import type { Topic } from './topic.ts'

export const telescopes: Topic = {
  language: 'en',
  home: {
    title: 'Backyard Telescopes',
    text: [
      'Reports from a garden with a bad view to the south and a neighbour who likes floodlights.',
      'What each telescope shows, how to set it up without swearing, and what to look at first when the clouds part.',
    ],
  },
  things: [
    ['Dobsonian', 'is a bucket of light on a wooden box, and nothing shows galaxies for less money'],
    ['Newtonian', 'has a hole in its side where the eye goes, which puzzles every visitor'],
    ['apochromat', 'costs as much as a used car and gives stars like pinpricks in black velvet'],
    ['Maksutov', 'fits in a rucksack and loves the moon'],
    ['Schmidt camera', 'takes in ten degrees of sky at a gulp'],
    ['brass refractor', 'belonged to a ship’s doctor and still splits double stars'],
    ['solar telescope', 'shows flames standing on the edge of the sun'],
    ['radio dish', 'listens to the hydrogen of the Milky Way through a coffee tin'],
    ['spotting scope', 'is meant for ducks but finds the moons of Jupiter'],
    ['travel scope', 'has been to four eclipses and seen two of them'],
    ['mirror of plate glass', 'was ground by hand over a winter of evenings'],
    ['binocular chair', 'turns the whole observer instead of the tube'],
  ],
  aspects: [
    {
      title: 'Setting up a {thing}',
      sentences: [
        'Let the {thing} cool outdoors for {number} minutes, or warm air in the tube will make the stars boil.',
        'Level the tripod first; everything that follows is easier.',
        'Point the finder at a chimney by day, when aligning it takes a minute and not an hour.',
        'Collimation sounds like surgery, yet three screws and some patience will do.',
        'Red torches spare the eyes, which need half an hour to see in the dark.',
      ],
    },
    {
      title: 'First nights with a {thing}',
      sentences: [
        'Begin with the moon: along the shadow line its craters stand out like footprints.',
        'Saturn through a {thing} looks like a sticker that somebody put on the lens.',
        'The Orion nebula is a grey moth at first, then slowly spreads its wings.',
        'At a power of {number} the planets swim; use less and see more.',
        'Sketch what you see, since drawing teaches the eye to look again.',
      ],
    },
    {
      title: 'Care of the {thing}',
      sentences: [
        'Dust on the lens of a {thing} does far less harm than rubbing it off.',
        'Dew is the enemy after midnight: a collar of black card holds it off for hours.',
        'Wash a mirror once in {number} years with water, a drop of soap and no pressure at all.',
        'Grease stiffens in frost, so keep one mount for January.',
        'Spiders find every open tube by May.',
      ],
    },
  ],
  remarks: [
    'No telescope shows the colours of the photographs; the eye cannot add up light.',
    'The best telescope is the one that is carried outside.',
    'Write down the seeing on a scale of five and be honest.',
    'Aircraft, satellites and one startled owl crossed the field that evening.',
    'Averted vision is a trick worth practising on any faint smudge.',
    'A folding chair improves every instrument.',
    'Neighbours who have seen Saturn once switch off their lamps.',
  ],
}
