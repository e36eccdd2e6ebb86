import type { Topic } from './topic.ts'

export const orchids: Topic = {
  language: 'en',
  home: {
    title: 'The Orchid Bench',
    text: [
      'Notes from a small greenhouse on the north side of a hill, kept since the winter when the heating failed and all but three plants survived.',
      'Here is what we have learned about watering, light and repotting, one orchid at a time. Most of it we learned by doing it wrong first.',
    ],
  },
  things: [
    ['Cattleya', 'carries ruffled flowers as wide as a hand and smells of vanilla before noon'],
    ['Phalaenopsis', 'blooms for three months on a kitchen windowsill and forgives nearly everything'],
    ['Vanda', 'hangs in an open basket with its grey roots in the air like a bundle of ropes'],
    ['Dendrobium', 'drops all its leaves in autumn and looks dead until the buds swell on bare canes'],
    ['Paphiopedilum', 'has a polished pouch that traps a visiting fly just long enough to dust it with pollen'],
    ['Oncidium', 'sends up a spray of a hundred small yellow dancers on one wiry stem'],
    ['Masdevallia', 'comes from cloud forests and sulks above twenty degrees'],
    ['Vanilla', 'climbs like ivy and gives the bean that flavours half the puddings in the world'],
    ['Miltoniopsis', 'wears the face of a pansy and marks every missed watering with a pleat in its leaves'],
    ['Ludisia', 'is grown for dark velvet leaves with copper veins rather than for its flowers'],
    ['Bulbophyllum', 'smells of something the cat brought in, to the delight of carrion flies'],
    ['Angraecum', 'keeps its nectar at the end of a spur a foot long, where one moth alone can reach it'],
  ],
  aspects: [
    {
      title: 'Watering {thing}',
      sentences: [
        'Carry {thing} to the sink and let lukewarm rain water run through the bark until it drips no more.',
        'Every {number} days is a fair rhythm in summer, half as often once the nights draw in.',
        'Roots that turn silver are asking for water; roots that stay green have had enough.',
        'Never leave {thing} standing in a full saucer: more plants drown than dry out.',
        'Hard tap water leaves white crusts on the leaf tips, and those do not heal.',
      ],
    },
    {
      title: 'Light for {thing}',
      sentences: [
        'An east window gives {thing} the gentle sun of the morning and shade when the glass grows hot.',
        'Leaves of a dark bottle green mean too little light, a reddish tinge a little too much.',
        'Under lamps allow {number} hours a day, and keep the tubes a forearm away.',
        'Turn the pot while {thing} is in spike and the flowers will face every way but yours.',
        'A net curtain is worth more than any meter.',
      ],
    },
    {
      title: 'Repotting {thing}',
      sentences: [
        'Wait until new roots are the length of a fingernail, then knock {thing} out of its pot.',
        'Fresh bark of {number} millimetres holds air as well as water, and lasts two years.',
        'Cut away what is brown and hollow with a blade that has been through a flame.',
        'The new pot should look a size too small.',
        'Keep {thing} in the shade and barely moist for a fortnight after the move.',
      ],
    },
  ],
  remarks: [
    'The old growers of Ghent wrote much the same a century ago, in better handwriting.',
    'Scale insects hide along the midrib; a cotton bud with alcohol settles the matter.',
    'A plant that has bloomed badly for years may only want a colder October.',
    'We weigh pots in the hand rather than trust a finger in the bark.',
    'Fertilise weakly, weekly, and let plain water through once a month.',
    'Humidity matters less than moving air, and a quiet fan costs little.',
    'Label everything: memory fades faster than ink.',
  ],
}
