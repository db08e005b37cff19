"""A generative peer: a left-to-right HMM with Gaussian emissions, all signals side by side."""

import numpy as np


class ClassHmm:
    def __init__(self, signals, states, rounds=20):
        self.states = states
        spread = np.concatenate(signals).var(0) + 1e-9
        self.stay = np.full(states, max(0.5, 1 - states / np.mean([len(s) for s in signals])))
        gammas = [np.eye(states)[np.arange(len(s)) * states // len(s)] for s in signals]
        for _ in range(rounds):
            weight = sum(g.sum(0) for g in gammas)[:, None] + 1e-9
            self.mean = sum(g.T @ s for g, s in zip(gammas, signals)) / weight
            square = sum(g.T @ s**2 for g, s in zip(gammas, signals)) / weight
            self.variance = np.maximum(square - self.mean**2, 1e-3 * spread)
            gammas = self.posteriors(signals)

    def _padded(self, signals):
        lengths = np.array([len(s) for s in signals])
        g = np.zeros((len(signals), lengths.max(), self.states))
        for k, signal in enumerate(signals):
            g[k, :len(signal)] = -0.5 * ((signal[:, None, :] - self.mean)**2 / self.variance
                                         + np.log(2 * np.pi * self.variance)).sum(2)
        return g, lengths

    def _forward(self, g):
        stay, go = np.log(self.stay), np.log1p(-self.stay)
        stay[-1] = 0
        forward = np.full(g.shape, -np.inf)
        forward[:, 0, 0] = g[:, 0, 0]
        for t in range(1, g.shape[1]):
            forward[:, t] = forward[:, t - 1] + stay
            forward[:, t, 1:] = np.logaddexp(forward[:, t, 1:], forward[:, t - 1, :-1] + go[:-1])
            forward[:, t] += g[:, t]
        return forward, stay, go

    def likelihoods(self, signals):
        g, lengths = self._padded(signals)
        forward = self._forward(g)[0]
        return np.logaddexp.reduce(forward[np.arange(len(signals)), lengths - 1], axis=1)

    def posteriors(self, signals):
        g, lengths = self._padded(signals)
        forward, stay, go = self._forward(g)
        backward = np.zeros(g.shape)
        for t in range(g.shape[1] - 2, -1, -1):
            ahead = backward[:, t + 1] + g[:, t + 1]
            now = ahead + stay
            now[:, :-1] = np.logaddexp(now[:, :-1], ahead[:, 1:] + go[:-1])
            backward[:, t] = np.where((t + 1 < lengths)[:, None], now, 0.0)
        total = np.logaddexp.reduce(forward[np.arange(len(signals)), lengths - 1], axis=1)
        return [np.exp(forward[k, :n] + backward[k, :n] - total[k]) for k, n in enumerate(lengths)]
