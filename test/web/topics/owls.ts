import type { Topic } from './topic.ts'

export const owls: Topic = {
  language: 'en',
  home: {
    title: 'Owl Watch',
    text: [
      'Observations from barns, churchyards and the edge of the wood, made between dusk and the last bus.',
      'Voices, nests and hunting habits of the owls of the district. The nest sites themselves are kept private.',
    ],
  },
  things: [
    ['Barn owl', 'floats over the meadow like a sheet of paper that has made up its mind'],
    ['Tawny owl', 'answers itself: one bird calls and its mate completes the phrase'],
    ['Little owl', 'bobs on a fence post in broad daylight and glares'],
    ['Long-eared owl', 'stretches thin and pretends to be a broken branch'],
    ['Short-eared owl', 'quarters the marsh at noon on wings that look too long for it'],
    ['Eagle owl', 'carries off hares and once, it is said, a garden gnome'],
    ['Pygmy owl', 'is no larger than a starling and hunts birds of its own size'],
    ['Snowy owl', 'came once in a hard January and sat on the bandstand for a week'],
    ['Scops owl', 'repeats one note all night like a patient telephone'],
    ['Ural owl', 'defends its nest so fiercely that ringers wear helmets'],
    ['Boreal owl', 'breeds in old holes of the black woodpecker'],
    ['Great grey owl', 'hears a vole beneath half a metre of snow'],
  ],
  aspects: [
    {
      title: 'The voice of the {thing}',
      sentences: [
        'The {thing} calls most on still evenings after rain, from the same perch each time.',
        'Young birds wheeze for food until August and can be counted by ear.',
        'A recording of {number} seconds is enough to tell one male from another.',
        'Do not answer with a whistle: the bird takes you for a rival and wastes its night.',
        'Dogs bark at it, foxes stop to listen.',
      ],
    },
    {
      title: 'Nesting of the {thing}',
      sentences: [
        'The {thing} builds nothing; it takes a hole, a ledge or somebody’s old nest.',
        'Eggs are laid two days apart, so the chicks stand side by side like organ pipes.',
        'In a good vole year there may be {number} rings used on a single evening.',
        'The female sits tight for a month while her mate does the shopping.',
        'Boxes should face away from the rain and towards an open field.',
      ],
    },
    {
      title: 'How the {thing} hunts',
      sentences: [
        'Soft fringes on its feathers let the {thing} fly without a sound that a mouse could hear.',
        'One ear sits higher than the other, and the difference gives the direction.',
        'Pellets under the roost hold {number} skulls and a history of the harvest.',
        'It drops feet first with its eyes closed at the last moment.',
        'Wet nights mean hunger, since rain drowns every rustle.',
      ],
    },
  ],
  remarks: [
    'Wear dark clothes and leave the torch in your pocket.',
    'The sexton counts them better than we do and charges nothing.',
    'Farmers who once shot them now put up boxes.',
    'A feather found in the lane belongs on the table of the village school.',
    'Moonlight helps the watcher more than the bird.',
    'Our records go back to the year the railway closed.',
    'Traffic is what kills them now, not superstition.',
  ],
}
