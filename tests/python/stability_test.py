"""Stability, knockoffs and clusters from Python."""

import unittest

import numpy as np

import medlar


class Stability(unittest.TestCase):
    def setUp(self):
        random = np.random.default_rng(3)
        self.x = random.standard_normal((120, 20))
        self.x[:, 5] = -3 * self.x[:, 0] + 0.01 * random.standard_normal(120)
        self.y = self.x[:, 0] - self.x[:, 1] + 0.2 * random.standard_normal(120)

    def test_finds_what_decides(self):
        for target in (self.y, self.y > 0):
            found = medlar.med_stability(self.x[:, :5], target, refits=20, fdr=0.5)
            self.assertEqual(set(np.argsort(-found.stability)[:2]), {0, 1})
            self.assertTrue(found.stable[:2].all())
            self.assertEqual(found.knockoff.shape, (5,))
            self.assertEqual(set(np.argsort(-found.probability)[:2]), {0, 1})
            self.assertEqual(found.clusters, [])

    def test_clusters_and_files(self):
        found = medlar.med_stability(self.x, self.y, refits=4, p0=0.1)
        self.assertIsNone(found.knockoff)
        self.assertIsNone(found.probability)
        (inclusion, members), = found.clusters
        self.assertEqual(set(members), {found.names[0], found.names[5]})
        self.assertAlmostEqual(inclusion, 1 - np.prod(1 - found.inclusion[[0, 5]]), delta=1e-12)
        again = type(found.model).from_json(found.model.to_json(), "here")
        np.testing.assert_array_equal(again.stability["fraction"], found.stability)
        self.assertEqual(medlar.med_stability(self.x, self.y, refits=2, cluster=None).clusters, [])

    def test_groups_stay_together(self):
        twice = np.repeat(self.x[:60], 2, axis=0)  # each example twice: halves that part the two know the other half
        chance = np.random.default_rng(5).choice(["a", "b"], 60).repeat(2)
        parted = medlar.med_stability(twice, chance, refits=20)
        kept = medlar.med_stability(twice, chance, refits=20, groups=[f"patient {k // 2}" for k in range(120)])
        self.assertGreater(parted.stability.max(), kept.stability.max())
        with self.assertRaisesRegex(ValueError, "groups has the shape"):
            medlar.med_stability(twice, chance, groups=[1, 2])
        with self.assertRaisesRegex(ValueError, "takes examples for independent"):
            medlar.med_stability(twice, chance, groups=np.arange(120) // 2, fdr=0.2)

    def test_refusals(self):
        for keywords, message in (({"refits": 3}, "pairs"), ({"share": 2.0}, "share = 2"), ({"fdr": 1.5}, "fdr = 1.5"),
                                  ({"kernel": "rbf"}, "no features"), ({"task": "anomaly"}, "task = 'anomaly'"),
                                  ({"cluster": 1.5}, "cluster = 1.5")):
            with self.assertRaisesRegex(ValueError, message):
                medlar.med_stability(self.x, self.y, **({"refits": 2} | keywords))
        with self.assertRaisesRegex(RuntimeError, "stopped the refits"):
            medlar.med_stability(self.x, self.y, refits=10, callback=lambda point: True)


if __name__ == "__main__":
    unittest.main()
