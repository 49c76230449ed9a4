export const texts = {
  en: {
    title: 'Our terms of use',
    read: 'Read the terms of use',
    accept: 'I accept the terms of use',
    continue: 'Continue',
    decline: 'I do not accept them',
    missing: 'Accept the terms of use to continue.',
  },
  de: {
    title: 'Unsere Nutzungsbedingungen',
    read: 'Nutzungsbedingungen lesen',
    accept: 'Ich stimme den Nutzungsbedingungen zu',
    continue: 'Weiter',
    decline: 'Ich stimme nicht zu',
    missing: 'Stimmen Sie den Nutzungsbedingungen zu, um fortzufahren.',
  },
};
