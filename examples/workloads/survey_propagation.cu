// survey_propagation: rounds of survey propagation (Braunstein, Mezard, Zecchina) on a random 3-SAT formula, as the
// inner loop of LonestarGPU's SP: a factor graph of clauses and literals, both sides as rows of edges. `pi` walks, for
// each literal of a clause, through all clauses of that literal and multiplies their surveys; `eta` computes a clause's
// new surveys from these products; `bias` adds up at the end how strongly each literal leans.
//
// Measured by: dissertation chapter 5 (Table 5.4, SP: 1.3 G instructions, 1.28 sectors of a line used; not run to
// its end).
// Characteristic: a double indirection (a literal's edge, that edge's survey) into the whole formula, so that almost
// every load of a warp touches 32 lines; loops of about 13 iterations whose number differs from literal to literal.
// Blocks of 256.
//
// usage: survey_propagation [literals [rounds]]: 4.2 clauses of 3 literals for each literal

#include "workload.h"

const int BLOCK = 256, SIZE = 3;

// What one edge knows: the products of what other clauses tell its literal.
struct products {
    float against, with, free_of;
};

// One thread an edge of a clause.
__global__ void pi(const int *literal_of, const bool *negated, const int *first, const int *edges, const float *eta,
                   products *known, int count)
{
    int edge = blockIdx.x * blockDim.x + threadIdx.x;
    if (edge >= count)
        return;
    int literal = literal_of[edge];
    bool mine = negated[edge];
    float same = 1, other = 1;
    for (int i = first[literal]; i < first[literal + 1]; i++) {
        int there = edges[i];
        if (there == edge)
            continue;
        if (negated[there] == mine)
            same *= 1 - eta[there];
        else
            other *= 1 - eta[there];
    }
    products result;
    result.against = (1 - other) * same;
    result.with = (1 - same) * other;
    result.free_of = same * other;
    known[edge] = result;
}

// One thread a clause.
__global__ void update_eta(const products *known, float *eta, int clauses, float *largest)
{
    int clause = blockIdx.x * blockDim.x + threadIdx.x;
    if (clause >= clauses)
        return;
    float change = 0;
    for (int i = 0; i < SIZE; i++) {
        float survey = 1;
        for (int j = 0; j < SIZE; j++) {
            if (j == i)
                continue;
            products from = known[clause * SIZE + j];
            float sum = from.against + from.with + from.free_of;
            survey *= sum > 0 ? from.against / sum : 0;
        }
        change = fmaxf(change, fabsf(survey - eta[clause * SIZE + i]));
        eta[clause * SIZE + i] = survey;
    }
    largest[clause] = change;
}

// One thread a literal.
__global__ void bias(const int *first, const int *edges, const bool *negated, const float *eta, int literals,
                     float *leaning)
{
    int literal = blockIdx.x * blockDim.x + threadIdx.x;
    if (literal >= literals)
        return;
    float positive = 1, negative = 1;
    for (int i = first[literal]; i < first[literal + 1]; i++) {
        int edge = edges[i];
        if (negated[edge])
            negative *= 1 - eta[edge];
        else
            positive *= 1 - eta[edge];
    }
    float plus = (1 - positive) * negative, minus = (1 - negative) * positive, neither = positive * negative;
    float sum = plus + minus + neither;
    leaning[literal] = sum > 0 ? (plus - minus) / sum : 0;
}

struct formula {
    int literals, clauses, edges;
    int *literal_of, *first, *edge_of;
    bool *negated;
};

formula random_formula(int literals)
{
    formula f;
    f.literals = literals;
    f.clauses = (int)(literals * 4.2f);
    f.edges = f.clauses * SIZE;
    f.literal_of = (int *)malloc(f.edges * sizeof(int));
    f.negated = (bool *)malloc(f.edges);
    f.first = (int *)calloc(literals + 1, sizeof(int));
    f.edge_of = (int *)malloc(f.edges * sizeof(int));
    for (int edge = 0; edge < f.edges; edge++) {
        f.literal_of[edge] = random_below(literals);
        f.negated[edge] = random_below(2) == 1;
        f.first[f.literal_of[edge] + 1]++;
    }
    int *at = (int *)malloc(literals * sizeof(int));
    for (int literal = 0; literal < literals; literal++) {
        at[literal] = f.first[literal];
        f.first[literal + 1] += f.first[literal];
    }
    for (int edge = 0; edge < f.edges; edge++)
        f.edge_of[at[f.literal_of[edge]]++] = edge;
    free(at);
    return f;
}

// One round in double precision: the products of each literal's sides once, and each edge's own factor taken out.
void host_round(formula f, double *eta, double *same, double *other)
{
    for (int literal = 0; literal < f.literals; literal++) {
        for (int i = f.first[literal]; i < f.first[literal + 1]; i++) {
            int edge = f.edge_of[i];
            double left[2] = {1, 1};
            for (int j = f.first[literal]; j < f.first[literal + 1]; j++)
                if (j != i)
                    left[f.negated[f.edge_of[j]]] *= 1 - eta[f.edge_of[j]];
            same[edge] = left[f.negated[edge]];
            other[edge] = left[!f.negated[edge]];
        }
    }
    for (int edge = 0; edge < f.edges; edge++) {
        int clause = edge / SIZE * SIZE;
        double survey = 1;
        for (int j = clause; j < clause + SIZE; j++) {
            double against = (1 - other[j]) * same[j], sum = same[j] + other[j] - same[j] * other[j];
            if (j != edge)
                survey *= sum > 0 ? against / sum : 0;
        }
        eta[edge] = survey;
    }
}

// The literals' bias on the host.
double host_bias(formula f, const double *eta, int literal)
{
    double left[2] = {1, 1};
    for (int i = f.first[literal]; i < f.first[literal + 1]; i++)
        left[f.negated[f.edge_of[i]]] *= 1 - eta[f.edge_of[i]];
    double sum = left[0] + left[1] - left[0] * left[1];
    return sum > 0 ? (left[1] - left[0]) / sum : 0;
}

int main(int argc, char **argv)
{
    int literals = argument(argc, argv, 1, 1000), rounds = argument(argc, argv, 2, 3);
    formula f = random_formula(literals);
    float *eta = (float *)malloc(f.edges * sizeof(float));
    double *expected = (double *)malloc(f.edges * sizeof(double));
    for (int edge = 0; edge < f.edges; edge++)
        expected[edge] = eta[edge] = random_unit();
    printf("survey_propagation: %d literals, %d clauses, %d rounds\n", literals, f.clauses, rounds);

    int *d_literal_of = to_device(f.literal_of, f.edges), *d_first = to_device(f.first, literals + 1);
    int *d_edge_of = to_device(f.edge_of, f.edges);
    bool *d_negated = to_device(f.negated, f.edges);
    float *d_eta = to_device(eta, f.edges), *d_largest = device_zeros<float>(f.clauses);
    float *d_bias = device_zeros<float>(literals);
    products *d_known = device_zeros<products>(f.edges);
    for (int round = 0; round < rounds; round++) {
        pi<<<(f.edges + BLOCK - 1) / BLOCK, BLOCK>>>(d_literal_of, d_negated, d_first, d_edge_of, d_eta, d_known,
                                                     f.edges);
        update_eta<<<(f.clauses + BLOCK - 1) / BLOCK, BLOCK>>>(d_known, d_eta, f.clauses, d_largest);
    }
    bias<<<(literals + BLOCK - 1) / BLOCK, BLOCK>>>(d_first, d_edge_of, d_negated, d_eta, literals, d_bias);

    double *same = (double *)malloc(f.edges * sizeof(double)), *other = (double *)malloc(f.edges * sizeof(double));
    for (int round = 0; round < rounds; round++)
        host_round(f, expected, same, other);
    float *found = to_host(d_eta, f.edges), *leaning = to_host(d_bias, literals),
          *largest = to_host(d_largest, f.clauses);
    for (int edge = 0; edge < f.edges; edge++)
        expect_float("survey of edge", edge, expected[edge], found[edge], 1e-4);
    // A survey near 1 leaves few of a float's digits in the factor 1 - survey.
    for (int literal = 0; literal < literals; literal++)
        expect_float("bias of literal", literal, host_bias(f, expected, literal), leaning[literal], 5e-3);
    for (int clause = 0; clause < f.clauses; clause++)
        expect_int("change is a number of clause", clause, 1, largest[clause] >= 0 && largest[clause] <= 1);
    return verdict("survey_propagation");
}
