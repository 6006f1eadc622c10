"""Time zones of •date, beside those of Python, over 200 years."""
import datetime
import random
import unittest
import zoneinfo

import griddle

NAMES = ['Europe/Berlin', 'Europe/London', 'Europe/Dublin', 'Europe/Lisbon', 'Europe/Moscow', 'Europe/Istanbul', 'America/New_York',
         'America/Sao_Paulo', 'America/St_Johns', 'America/Caracas', 'America/Los_Angeles', 'Asia/Tokyo', 'Asia/Kolkata', 'Asia/Kathmandu',
         'Asia/Tehran', 'Asia/Gaza', 'Africa/Casablanca', 'Africa/Cairo', 'Australia/Lord_Howe', 'Australia/Sydney', 'Pacific/Apia',
         'Pacific/Chatham', 'Antarctica/Troll', 'Etc/GMT+5']
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
# Clocks are not changed twice within it.
WEEK = 7 * 86400


def offset(zone, seconds):
    """Gives the seconds that a zone is ahead of UTC."""
    return (EPOCH + datetime.timedelta(seconds=seconds)).astimezone(zone).utcoffset().total_seconds()


def changes(zone, first, last):
    """Gives the seconds at which a zone changes its offset, found by halving weeks."""
    before = offset(zone, first)
    for week in range(first, last, WEEK):
        after = offset(zone, week + WEEK)
        if after != before:
            low, high = week, week + WEEK
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
            yield high
        before = after


class TimeZones(unittest.TestCase):
    def test_offsets(self):
        rng = random.Random(1)
        first, last = [int((datetime.datetime(year, 1, 1, tzinfo=UTC) - EPOCH).total_seconds()) for year in (1890, 2090)]
        offsets = griddle.eval('{𝕨⊸•date.Offset¨𝕩}')
        times = griddle.eval('{𝕨⊸•date.Parse¨𝕩}')
        for name in NAMES:
            try:
                zone = zoneinfo.ZoneInfo(name)
            except zoneinfo.ZoneInfoNotFoundError:
                self.skipTest('this machine has no time zones')
            seconds = [rng.randrange(first, last) for _ in range(500)]
            seconds += [at + d for at in changes(zone, first, last) for d in (-7200, -1800, -1, 0, 1, 1800, 7200)]
            with self.subTest(zone=name):
                self.assertEqual([round(60 * o) for o in offsets(name, seconds)], [offset(zone, s) for s in seconds])
                # The same numbers as what clocks show: some come twice, some never.
                shown = [datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=s + offset(zone, s)) for s in seconds]
                shown += [s + datetime.timedelta(seconds=d) for s in shown[500:] for d in (-3600, 3600)]
                wanted = [(s.replace(tzinfo=zone) - EPOCH).total_seconds() for s in shown]
                self.assertEqual(list(times(name, [s.isoformat() for s in shown])), wanted)


if __name__ == '__main__':
    unittest.main()
