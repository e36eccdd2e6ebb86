import type { Topic } from './topic.ts'

export const tea: Topic = {
  language: 'en',
  home: {
    title: 'A Cupboard of Tea',
    text: [
      'The catalogue of a cupboard with forty tins, some of them empty and kept for the smell.',
      'For each tea there is how it is made, how to brew it, and where it travelled before it reached the shelf.',
    ],
  },
  things: [
    ['Darjeeling', 'tastes of muscat grapes in the second picking and of hay in the first'],
    ['Sencha', 'is bright as cut grass and turns bitter the moment you answer the door'],
    ['Lapsang', 'is dried over pine fires and divides families'],
    ['Assam', 'stands up to milk, sugar and Monday mornings'],
    ['Oolong', 'unrolls from a hard little ball into a whole leaf'],
    ['Pu-erh', 'is pressed into bricks and ages in cellars like wine'],
    ['Rooibos', 'is a red broom from dry hills and no tea at all, strictly speaking'],
    ['Jasmine', 'spends seven nights beside fresh flowers and keeps only their breath'],
    ['Keemun', 'has a trace of cocoa and an old-fashioned politeness'],
    ['Matcha', 'is whisked to a green foam with a brush of split bamboo'],
    ['Ceylon', 'was planted where the coffee had died'],
    ['Genmaicha', 'pops with roasted rice, a poor man’s stretch that became a favourite'],
  ],
  aspects: [
    {
      title: 'How {thing} is made',
      sentences: [
        'Two leaves and a bud are picked for {thing}, before the sun is over the ridge.',
        'The leaves wither on racks for {number} hours until they can be folded without a crack.',
        'Rolling bruises them, and from then on air does the work.',
        'Heat stops everything at a moment that only the nose can name.',
        'What is left is sieved, sorted and tasted by people who spit for a living.',
      ],
    },
    {
      title: 'Brewing {thing}',
      sentences: [
        'Warm the pot, then give {thing} one spoon for each cup and none for the pot.',
        'Water off the boil by a minute is right; fierce water scalds the scent away.',
        'After {number} minutes pour it all out, since leaves left standing turn sour.',
        'A second infusion is often the better one.',
        'Soft water makes a clear cup, hard water a skin.',
      ],
    },
    {
      title: 'The travels of {thing}',
      sentences: [
        '{thing} crossed two deserts on camels before anyone thought of a steamer.',
        'Clippers raced home with the new crop and {number} sails set.',
        'Chests lined with lead foil kept out the sea and the smell of the bilge.',
        'Smugglers mixed it with hawthorn leaves and sold it by moonlight.',
        'Auctions were held by the candle: the last bid before the flame went out won the lot.',
      ],
    },
  ],
  remarks: [
    'Keep the tin away from the pepper.',
    'Biscuits are a matter of conscience.',
    'The chipped cup is the favourite one, and nobody knows why.',
    'An egg timer has ruined fewer pots than a good book.',
    'Grandmother read the leaves and always saw a visitor.',
    'Strainers of silver are pretty, a paper filter is honest.',
    'Left-over tea waters the ferns.',
  ],
}
